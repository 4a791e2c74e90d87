import * as z from 'zod'
import { CloseCode, Op } from './opcodes.ts'

const Id = z.string().regex(/^\d{1,20}$/)
const Secret = z.string().min(1).max(256)
const Small = z.int().min(0).max(0xffff)
const Ssrc = z.int().min(0).max(0xffff_ffff)
const SequenceAck = z.int().min(-1).max(0xffff).default(-1)
const frame = <Code extends number, Data extends z.ZodType>(op: Code, d: Data) => z.object({ op: z.literal(op), d })

/** The JSON that a client of the voice gateway may send. */
const Frame = z.discriminatedUnion('op', [
  frame(Op.identify, z.object({ server_id: Id, user_id: Id, session_id: Secret, token: Secret, max_dave_protocol_version: Small.default(0) })),
  frame(Op.selectProtocol, z.object({
    protocol: z.string().max(32),
    data: z.object({ address: z.string().max(64), port: Small, mode: z.string().max(64) })
  })),
  frame(Op.heartbeat, z.object({ t: z.number(), seq_ack: SequenceAck })),
  frame(Op.speaking, z.object({ speaking: z.int().min(0).max(7), ssrc: Ssrc })),
  frame(Op.resume, z.object({ server_id: Id, session_id: Secret, token: Secret, seq_ack: SequenceAck })),
  frame(Op.daveTransitionReady, z.object({ transition_id: Small })),
  frame(Op.daveInvalidCommitWelcome, z.object({ transition_id: Small }))
])
export type Frame = z.infer<typeof Frame>
export type Identify = Extract<Frame, { op: 0 }>['d']
export type Resume = Extract<Frame, { op: 7 }>['d']

const known = new Set<unknown>(Frame.options.map((option) => option.shape.op.value))

/** One text message of a client; else the close code it deserves: 4002 for what is no frame, 4001 for an op that nobody may send. */
export function parseFrame(text: string): Frame | number {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return CloseCode.failedToDecode
  }
  const parsed = Frame.safeParse(json)
  if (parsed.success) return parsed.data
  const isForeign = typeof json === 'object' && json !== null && 'op' in json && typeof json.op === 'number' && !known.has(json.op)
  return isForeign ? CloseCode.unknownOpcode : CloseCode.failedToDecode
}
