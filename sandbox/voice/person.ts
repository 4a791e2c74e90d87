import davey from '@snazzah/davey'
import type { DaveGroup, Participant } from './dave.ts'
import { Op } from './opcodes.ts'
import type { Outgoing } from './opcodes.ts'

// The package declares its constants as `const enum`s, which a file that is only stripped of its types can't name.
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
const AUDIO: davey.MediaType = 0

/**
 * A person in a voice channel of the sandbox: a real member of the channel's end-to-end encrypted group, who hears the others.
 * It answers the group as a client does, but never at once, so that everybody hears of one step before the next.
 */
export class Person implements Participant {
  readonly kind = 'person'
  readonly userId: string
  readonly #group: DaveGroup
  readonly #channelId: string
  readonly #session: davey.DAVESession

  constructor(userId: string, channelId: string, group: DaveGroup) {
    this.userId = userId
    this.#channelId = channelId
    this.#group = group
    this.#session = new davey.DAVESession(1, userId, channelId)
  }

  /** The leaf that this person's own library gave it; `null` outside a group. */
  get leafIndex(): number | null {
    return this.#session.ownLeafIndex
  }

  send(message: Outgoing): void {
    if ('payload' in message) this.#binary(message.op, Buffer.from(message.payload))
    else if (message.op === Op.davePrepareEpoch) {
      this.#session.reinit(1, this.userId, this.#channelId)
      this.#offerKeyPackage()
    }
  }

  /**
   * What this person hears of a frame that `userId` sent; `null` when it hears nothing: the frame is not encrypted,
   * or for a group that this person was not in. The library gives back silence (`f8 ff fe`) as it is.
   */
  hear(userId: string, frame: Buffer): Buffer | null {
    if (!this.#session.ready) return null
    try {
      return this.#session.decrypt(userId, AUDIO, frame)
    } catch {
      return null
    }
  }

  #binary(op: number, payload: Buffer): void {
    switch (op) {
      case Op.daveExternalSender:
        this.#session.setExternalSender(payload)
        this.#offerKeyPackage()
        break
      case Op.daveProposals:
        this.#follow(() => {
          // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
          const { commit, welcome } = this.#session.processProposals(payload.readUInt8(0), payload.subarray(1))
          if (commit) this.#answer(() => this.#group.commit(this, welcome ? Buffer.concat([commit, welcome]) : commit))
        })
        break
      case Op.daveAnnounceCommit:
        this.#follow(() => this.#session.processCommit(payload.subarray(2)), payload.readUInt16BE(0))
        break
      case Op.daveWelcome:
        this.#follow(() => this.#session.processWelcome(payload.subarray(2)), payload.readUInt16BE(0))
        break
    }
  }

  /** Someone else's commit or welcome can be wrong: then the person says so and asks to be added again, as a client does. */
  #follow(step: () => void, transitionId = 0): void {
    try {
      step()
      if (transitionId !== 0) this.#answer(() => this.#group.transitionReady(this, transitionId))
    } catch {
      this.#answer(() => this.#group.invalid(this))
      this.#session.reinit(1, this.userId, this.#channelId)
      this.#offerKeyPackage()
    }
  }

  #offerKeyPackage(): void {
    const keyPackage = this.#session.getSerializedKeyPackage()
    this.#answer(() => this.#group.keyPackage(this, keyPackage))
  }

  readonly #answer = (answer: () => unknown): void => void setImmediate(answer)
}
