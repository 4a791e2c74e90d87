/** A forced answer to the next `times` requests whose method and path (without `/api/v10`) match. */
export interface ForcedAnswer {
  method?: string
  path: RegExp
  status: 429 | 500 | 502 | 503 | 403 | 404
  times: number
  /** Of 429: seconds until the client may ask again; 1 when absent. */
  retryAfterSecs?: number
  /** Of 429: the limit of all routes together. */
  global?: boolean
}

/** What tests turn to make this Discord misbehave, or behave without patience. They act at once. */
export interface Switches {
  /** In their order; an entry is used up after `times`. */
  forced: ForcedAnswer[]
  /** Off: nothing is limited, as for benches. */
  rateLimits: boolean
  /** Bits of intents that the application was not granted: identify with them is closed with 4014. */
  disallowedIntents: number
  /** False: heartbeats are not acknowledged, as by a gateway that died behind its socket. */
  acknowledgesHeartbeats: boolean
  /** What HELLO asks for, in ms. */
  heartbeatIntervalMs: number
  /** Gateway sessions that still may be resumed; false: every RESUME is answered with an invalid session. */
  resumable: boolean
  /** False: who joins a voice channel is never told of a voice server, as in an outage. */
  namesVoiceServer: boolean
}

export const defaultSwitches = (): Switches => ({
  forced: [],
  rateLimits: true,
  disallowedIntents: 0,
  acknowledgesHeartbeats: true,
  heartbeatIntervalMs: 41_250,
  resumable: true,
  namesVoiceServer: true
})
