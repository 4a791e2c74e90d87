/** Pieces in order, texts that touch as one. */
export function joined<T extends { kind: string }>(pieces: readonly (T | { kind: 'text'; text: string })[]): (T | { kind: 'text'; text: string })[] {
  const all: (T | { kind: 'text'; text: string })[] = []
  let texts: string[] = []
  const close = () => {
    const text = texts.join('')
    if (text !== '') all.push({ kind: 'text', text })
    texts = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'text' && 'text' in piece) texts.push(piece.text)
    else {
      close()
      all.push(piece)
    }
  }
  close()
  return all
}
