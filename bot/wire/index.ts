import * as node from './node.ts'
import * as registry from './registry.ts'

/** Every schema of both contracts by its name: what the vectors name, and what `npm run wire` writes down for the node. */
export const schemas = {
  RegisterRequest: registry.RegisterRequest,
  HeartbeatRequest: registry.HeartbeatRequest,
  UnregisterRequest: registry.UnregisterRequest,
  SetEnabledRequest: registry.SetEnabledRequest,
  RenameRequest: registry.RenameRequest,
  PresenceRequest: registry.PresenceRequest,
  ServerRow: registry.ServerRow,
  OkAnswer: registry.OkAnswer,
  ListAnswer: registry.ListAnswer,
  ErrorAnswer: registry.ErrorAnswer,
  Health: node.Health,
  Voices: node.Voices,
  SpeechRequest: node.SpeechRequest,
  LoggedRequest: node.LoggedRequest,
  NodeError: node.NodeError
} as const

export type SchemaName = keyof typeof schemas
