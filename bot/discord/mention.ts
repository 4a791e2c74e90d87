/** A command as people can click it; as they type it, while its id is unknown. @param path its name, and those of its group and subcommand */
export function mentionOf(ids: ReadonlyMap<string, string>, ...path: [name: string, ...below: string[]]): string {
  const id = ids.get(path[0])
  return id === undefined ? `\`/${path.join(' ')}\`` : `</${path.join(' ')}:${id}>`
}
