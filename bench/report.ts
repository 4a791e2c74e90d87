/** The value below which this share (0 to 1) of the sorted values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Prints the rows as a table, then all of it as one JSON line. A limit that is missed makes the process exit 1. */
export function report(bench: string, rows: readonly Record<string, string | number>[], limits: Readonly<Record<string, boolean>>): void {
  console.table(rows)
  for (const [limit, kept] of Object.entries(limits)) console.log(`${kept ? 'kept  ' : 'MISSED'} ${limit}`)
  console.log(JSON.stringify({ bench, rows, limits }))
  if (Object.values(limits).includes(false)) process.exitCode = 1
}

export function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits))
}
