import type { Clock } from '../../bot/core/clock.ts'
import { DaveGroup } from './dave.ts'
import type { DaveOptions, Participant } from './dave.ts'
import { Listener } from './listener.ts'
import type { HeardPacket } from './listener.ts'
import { Op } from './opcodes.ts'
import { Person } from './person.ts'

const PEOPLE_MAX = 25
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe])

/** One voice channel: the clients and the people in it, their encrypted group, and who listens from outside the sandbox. */
export class Channel {
  readonly group: DaveGroup
  readonly #channelId: string
  readonly #clock: Clock
  readonly #people = new Map<string, Person>()
  readonly #clients = new Set<Participant>()
  readonly #listeners = new Set<Listener>()

  constructor(options: DaveOptions) {
    this.#channelId = options.channelId
    this.#clock = options.clock
    this.group = new DaveGroup(options)
  }

  get people(): ReadonlyMap<string, Person> {
    return this.#people
  }

  /** The people who are in the channel from now on; at most 25. Clients hear of them before anything about them is proposed. */
  setPeople(userIds: readonly string[]): void {
    const wanted = new Set(userIds)
    if (wanted.size > PEOPLE_MAX) throw new RangeError(`${wanted.size} people in a channel, at most ${PEOPLE_MAX}`)
    for (const person of this.#people.values()) {
      if (wanted.has(person.userId)) continue
      this.#people.delete(person.userId)
      this.#tell({ op: Op.clientDisconnect, data: { user_id: person.userId } })
      this.group.leave(person)
    }
    const added = [...wanted].filter((userId) => !this.#people.has(userId))
    if (added.length > 0) this.#tell({ op: Op.clientsConnect, data: { user_ids: added } })
    for (const userId of added) {
      const person = new Person(userId, this.#channelId, this.group)
      this.#people.set(userId, person)
      this.group.join(person)
    }
  }

  /** The client has been told that it is ready: it and the others learn of each other. */
  enter(client: Participant): void {
    const present = [...this.#people.keys(), ...[...this.#clients].map((other) => other.userId)]
    this.#tell({ op: Op.clientsConnect, data: { user_ids: [client.userId] } })
    this.#clients.add(client)
    if (present.length > 0) client.send({ op: Op.clientsConnect, data: { user_ids: present } })
  }

  exit(client: Participant): void {
    if (!this.#clients.delete(client)) return
    this.#tell({ op: Op.clientDisconnect, data: { user_id: client.userId } })
    this.group.leave(client)
  }

  listen(): Listener {
    const listener = new Listener((closed) => void this.#listeners.delete(closed))
    this.#listeners.add(listener)
    return listener
  }

  /**
   * One frame that a client sent. What a person in the channel can decrypt is heard; the answer says whether anybody could.
   * As on Discord, a frame that was sent before the group was set up reaches nobody, and neither does one in an empty channel.
   */
  hear(frame: Buffer, from: Pick<HeardPacket, 'userId' | 'ssrc' | 'sequence' | 'timestamp'>): boolean {
    for (const person of this.#people.values()) {
      const silence = frame.equals(SILENCE)
      const opus = silence ? frame : person.hear(from.userId, frame)
      if (opus === null) continue
      const packet = { ...from, atMs: this.#clock.now(), opus: Uint8Array.from(opus), silence }
      for (const listener of this.#listeners) listener.push(packet)
      return true
    }
    return false
  }

  close(): void {
    for (const listener of this.#listeners) listener.close()
    this.group.close()
  }

  #tell(message: { op: number; data: unknown }): void {
    for (const client of this.#clients) client.send(message)
  }
}
