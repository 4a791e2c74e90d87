import type { Clock } from '../../bot/core/clock.ts'
import { readCommit, readKeyPackageUser } from './commit.ts'
import type { Commit } from './commit.ts'
import { u16 } from './encoding.ts'
import { addProposal, appendProposals, frameProposal, removeProposal, revokeProposals } from './mls.ts'
import type { ExternalSender, Proposal } from './mls.ts'
import { Op } from './opcodes.ts'
import type { Outgoing } from './opcodes.ts'
import { Transitions } from './transitions.ts'

/** Somebody in the channel: a client behind a socket, or a person of the sandbox. Both are told the same and answer the same. */
export interface Participant {
  readonly userId: string
  readonly kind: 'client' | 'person'
  send(message: Outgoing): void
}

export interface DaveOptions {
  channelId: string
  sender: ExternalSender
  clock: Clock
  /** Whose commit is taken at once while both could make one; the others' is taken when none of these comes within a second. */
  committer: () => Participant['kind']
  /** Told after every change of the established group. */
  changed: (change: GroupChange) => void
}

export interface GroupChange {
  epoch: number
  userIds: string[]
  committedBy: string | null
}

const COMMIT_LIMIT_MS = 1_000
const PROTOCOL_VERSION = 1

interface Member {
  participant: Participant
  keyPackage: Buffer | null
  /** The proposals of this epoch that it holds. */
  held: Set<OpenProposal>
}

type OpenProposal = Proposal & ({ adds: Member; keyPackage: Buffer } | { adds: null; leaf: number })

/**
 * The delivery service of one channel's end-to-end encryption: it owns who is in the MLS group, proposes every change, picks the winning
 * commit and announces it (the DAVE protocol, "Group Management"; RFC 9420). It never holds a key of the group.
 *
 * An established group is `leaves`; without one, every member has a group of its own at epoch 0, and the first commit founds the common one.
 */
export class DaveGroup {
  readonly #options: DaveOptions
  readonly #members = new Map<string, Member>()
  #leaves: (Member | null)[] = []
  #epoch = 0n
  #open: OpenProposal[] = []
  #cancelFallback: (() => void) | null = null
  #settling: NodeJS.Immediate | null = null
  readonly #transitions: Transitions<Participant>

  constructor(options: DaveOptions) {
    this.#options = options
    this.#transitions = new Transitions(options.clock, (id) => this.#execute(id))
  }

  /** The epoch of the established group; 0 while there is none. */
  get epoch(): number {
    return Number(this.#epoch)
  }

  /** The members of the established group, by leaf. */
  get userIds(): (string | null)[] {
    return this.#leaves.map((leaf) => leaf?.participant.userId ?? null)
  }

  join(participant: Participant): void {
    this.#members.set(participant.userId, { participant, keyPackage: null, held: new Set() })
    participant.send({ op: Op.daveExternalSender, payload: this.#options.sender.package })
    this.#settleSoon()
  }

  leave(participant: Participant): void {
    if (!this.#memberOf(participant)) return
    this.#members.delete(participant.userId)
    this.#transitions.forget(participant)
    this.#settleSoon()
  }

  /** Op 26. Returns whether it is a key package for this very user. */
  keyPackage(participant: Participant, payload: Buffer): boolean {
    const member = this.#memberOf(participant)
    if (!member) return true
    try {
      if (readKeyPackageUser(payload) !== participant.userId) return false
    } catch {
      return false
    }
    member.keyPackage = payload
    this.#settleSoon()
    return true
  }

  /** Op 28. A commit of another epoch or of other proposals lost its race and is let go; `false` when it is no commit at all. */
  commit(participant: Participant, payload: Buffer): boolean {
    const member = this.#memberOf(participant)
    if (!member) return true
    let commit: Commit
    try {
      commit = readCommit(payload)
    } catch {
      return false
    }
    // The commit is judged by what is proposed now: a change that waits for its round comes first.
    if (this.#settling) this.#settle()
    if (!this.#isWanted(member, commit)) return true
    const preferred = this.#options.committer()
    if (participant.kind === preferred || !this.#canCommit(preferred)) this.#accept(member, commit)
    else this.#cancelFallback ??= this.#options.clock.after(COMMIT_LIMIT_MS, () => {
      this.#cancelFallback = null
      if (this.#memberOf(participant) === member && this.#isWanted(member, commit)) this.#accept(member, commit)
    })
    return true
  }

  /** Op 23. */
  transitionReady(participant: Participant, transitionId: number): void {
    this.#transitions.ready(transitionId, participant)
  }

  /** Op 31: the member could not follow. It leaves the group, and returns with the key package that it sends next. */
  invalid(participant: Participant): void {
    if (!this.#memberOf(participant)) return
    this.#members.set(participant.userId, { participant, keyPackage: null, held: new Set() })
    this.#settleSoon()
  }

  close(): void {
    this.#members.clear()
    if (this.#settling) clearImmediate(this.#settling)
    this.#stopFallback()
    this.#transitions.close()
  }

  #memberOf(participant: Participant): Member | undefined {
    const member = this.#members.get(participant.userId)
    return member?.participant === participant ? member : undefined
  }

  readonly #isPresent = (member: Member | null): member is Member => member !== null && this.#members.get(member.participant.userId) === member

  get #isEstablished(): boolean {
    return this.#leaves.length > 0
  }

  /** Who holds the group that the next commit changes: the leaves that are still here, or, before there is a group, everybody. */
  #holders(): Member[] {
    return this.#isEstablished ? this.#leaves.filter(this.#isPresent) : [...this.#members.values()]
  }

  /** Changes that come together make one round of proposals: each round costs every member a commit. */
  #settleSoon(): void {
    this.#settling ??= setImmediate(() => this.#settle())
  }

  /** Brings the open proposals, and what each member holds of them, to what the members in the channel ask for. */
  #settle(): void {
    if (this.#settling) clearImmediate(this.#settling)
    this.#settling = null
    const remaining = this.#holders()
    if (this.#isEstablished && remaining.length <= 1) this.#reset(remaining)

    const isWanted = (proposal: OpenProposal) =>
      proposal.adds
        ? this.#isPresent(proposal.adds) && proposal.adds.keyPackage === proposal.keyPackage
        : !this.#isPresent(this.#leaves[proposal.leaf] ?? null)
    const open = this.#open.filter(isWanted)
    for (const [leaf, member] of this.#leaves.entries()) {
      if (member && !this.#isPresent(member) && !open.some((each) => !each.adds && each.leaf === leaf)) {
        open.push({ ...this.#propose(removeProposal(leaf)), adds: null, leaf })
      }
    }
    for (const member of this.#members.values()) {
      const { keyPackage } = member
      if (keyPackage && !this.#leaves.includes(member) && !open.some((each) => each.adds === member)) {
        open.push({ ...this.#propose(addProposal(keyPackage)), adds: member, keyPackage })
      }
    }
    if (open.length !== this.#open.length || open.some((each, index) => each !== this.#open[index])) this.#stopFallback()
    this.#open = open
    for (const member of this.#holders()) this.#sendProposals(member)
  }

  /** A client's Welcome covers only the proposals of one message, so a changed set is sent anew as a whole. */
  #sendProposals(member: Member): void {
    const wanted = this.#proposalsFor(member)
    if (wanted.length === member.held.size && wanted.every((each) => member.held.has(each))) return
    this.#revokeHeld(member)
    if (wanted.length > 0) member.participant.send({ op: Op.daveProposals, payload: appendProposals(wanted.map((each) => each.message)) })
    member.held = new Set(wanted)
  }

  #revokeHeld({ participant, held }: Member): void {
    if (held.size > 0) participant.send({ op: Op.daveProposals, payload: revokeProposals([...held].map((each) => each.reference)) })
    held.clear()
  }

  /** Nobody adds itself: before the group is founded, each one's own proposal is for the others. */
  readonly #proposalsFor = (member: Member): OpenProposal[] => this.#open.filter((proposal) => proposal.adds !== member)

  readonly #propose = (proposal: Buffer): Proposal =>
    frameProposal(this.#options.sender, BigInt(this.#options.channelId), this.#epoch, proposal)

  /** A sole member must not keep the group: it starts anew and is welcomed into the next one ("Sole member reset"). */
  #reset(remaining: readonly Member[]): void {
    this.#leaves = []
    this.#epoch = 0n
    this.#open = []
    for (const member of remaining) {
      member.held.clear()
      member.keyPackage = null
      member.participant.send({ op: Op.davePrepareEpoch, data: { protocol_version: PROTOCOL_VERSION, epoch: 1 } })
      member.participant.send({ op: Op.davePrepareTransition, data: { protocol_version: PROTOCOL_VERSION, transition_id: 0 } })
    }
    this.#options.changed({ epoch: 0, userIds: [], committedBy: null })
  }

  readonly #canCommit = (kind: Participant['kind']): boolean =>
    this.#holders().some((member) => member.participant.kind === kind && member.held.size > 0)

  /** "Voice Gateway Commit Validity": all the open proposals and no others, at this epoch, from the leaf that the sender has. */
  #isWanted(member: Member, commit: Commit): boolean {
    const leaf = this.#isEstablished ? this.#leaves.indexOf(member) : 0
    const wanted = this.#proposalsFor(member)
    return commit.groupId === BigInt(this.#options.channelId) && commit.epoch === this.#epoch && commit.senderLeaf === leaf &&
      wanted.length > 0 && commit.references.length === wanted.length &&
      wanted.every((proposal) => commit.references.some((reference) => reference.equals(proposal.reference))) &&
      (commit.welcome !== null) === wanted.some((proposal) => proposal.adds)
  }

  #accept(committer: Member, commit: Commit): void {
    this.#stopFallback()
    const transitionId = this.#isEstablished ? this.#transitions.nextId() : 0
    const announced = this.#isEstablished ? this.#holders() : [committer]
    const welcomed: Member[] = []
    if (!this.#isEstablished) this.#leaves = [committer]
    const carriedOut = commit.references.map((reference) => this.#open.find((each) => each.reference.equals(reference)))
    // Removals come first, then each added member takes the leftmost empty leaf (RFC 9420 sections 12.3 and 12.1.1).
    for (const proposal of carriedOut) if (proposal && !proposal.adds) this.#leaves[proposal.leaf] = null
    for (const proposal of carriedOut) {
      if (!proposal?.adds) continue
      const empty = this.#leaves.indexOf(null)
      this.#leaves[empty === -1 ? this.#leaves.length : empty] = proposal.adds
      proposal.adds.keyPackage = null
      welcomed.push(proposal.adds)
    }
    while (this.#leaves.at(-1) === null) this.#leaves.pop()
    this.#epoch += 1n
    this.#open = []
    for (const member of [...announced, ...welcomed]) member.held.clear()
    // Whoever is not in the group that was founded keeps its own: what it holds must not be in a later commit of its own.
    for (const member of this.#members.values()) this.#revokeHeld(member)

    const id = u16(transitionId)
    for (const { participant } of announced) participant.send({ op: Op.daveAnnounceCommit, payload: Buffer.concat([id, commit.message]) })
    const welcome = Buffer.concat([id, commit.welcome ?? Buffer.alloc(0)])
    for (const { participant } of welcomed) participant.send({ op: Op.daveWelcome, payload: welcome })
    if (transitionId !== 0) this.#transitions.begin(transitionId, [...announced, ...welcomed].map((member) => member.participant))
    const userIds = this.userIds.filter((userId) => userId !== null)
    this.#options.changed({ epoch: this.epoch, userIds, committedBy: committer.participant.userId })
    this.#settleSoon()
  }

  #execute(transitionId: number): void {
    for (const { participant } of this.#members.values()) {
      participant.send({ op: Op.daveExecuteTransition, data: { transition_id: transitionId } })
    }
  }

  #stopFallback(): void {
    this.#cancelFallback?.()
    this.#cancelFallback = null
  }
}
