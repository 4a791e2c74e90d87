/** The voice gateway, version 8, by the names that Discord's documentation and the DAVE protocol give. */
export const Op = {
  identify: 0,
  selectProtocol: 1,
  ready: 2,
  heartbeat: 3,
  sessionDescription: 4,
  speaking: 5,
  heartbeatAck: 6,
  resume: 7,
  hello: 8,
  resumed: 9,
  clientsConnect: 11,
  clientDisconnect: 13,
  davePrepareTransition: 21,
  daveExecuteTransition: 22,
  daveTransitionReady: 23,
  davePrepareEpoch: 24,
  daveExternalSender: 25,
  daveKeyPackage: 26,
  daveProposals: 27,
  daveCommitWelcome: 28,
  daveAnnounceCommit: 29,
  daveWelcome: 30,
  daveInvalidCommitWelcome: 31
} as const

export const CloseCode = {
  unknownOpcode: 4001,
  failedToDecode: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  sessionNoLongerValid: 4006,
  sessionTimeout: 4009,
  unknownProtocol: 4012,
  disconnected: 4014,
  voiceServerCrashed: 4015,
  unknownEncryptionMode: 4016,
  daveRequired: 4017,
  badRequest: 4020,
  rateLimited: 4021
} as const

/** What the server sends: JSON (`{op, seq, d}`) or binary (`u16 seq, u8 op, payload`). */
export type Outgoing = { op: number; data: unknown } | { op: number; payload: Uint8Array }
