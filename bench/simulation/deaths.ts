export interface Deaths {
  died(serverId: string): void
  /** A member was given a node, or given another, or left. `isThere`: whether a node lives where the member's bot believes it to. */
  given(from: string | undefined, to: string | undefined, isThere: (serverId: string) => boolean): void
  outcome(): DeathsOutcome
}

export interface DeathsOutcome {
  deaths: number
  /** Members of a node when it died, or given to it before its death was known: mean over the deaths. */
  heldPerDeath: number
  movesPerDeath: number
  /** Deaths after which more members moved than the node had. */
  excessDeaths: number
  /** Members who left a node that was alive where their bot believed it to be. */
  strayMoves: number
}

/** Who moved after which death. */
export function countDeaths(): Deaths {
  const held = new Map<string, number>()
  const latest = new Map<string, { held: number; moved: number }>()
  const deaths: { held: number; moved: number }[] = []
  let strayMoves = 0
  const hold = (serverId: string, by: number) => void held.set(serverId, (held.get(serverId) ?? 0) + by)

  return {
    died(serverId) {
      const death = { held: held.get(serverId) ?? 0, moved: 0 }
      latest.set(serverId, death)
      deaths.push(death)
    },
    given(from, to, isThere) {
      if (to !== undefined) {
        hold(to, 1)
        const death = latest.get(to)
        if (death !== undefined && !isThere(to)) death.held += 1
      }
      if (from === undefined) return
      hold(from, -1)
      if (to === undefined) return
      const death = latest.get(from)
      if (death === undefined || isThere(from)) strayMoves += 1
      else death.moved += 1
    },
    outcome: () => ({
      deaths: deaths.length,
      heldPerDeath: mean(deaths.map((death) => death.held)),
      movesPerDeath: mean(deaths.map((death) => death.moved)),
      excessDeaths: deaths.filter((death) => death.moved > death.held).length,
      strayMoves
    })
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
