/** Who asks for the same while it is under way shares what comes of it. */
export function shareUnderWay<Answer, Asked = void>(work: (asked: Asked) => Promise<Answer>, nameOf: (asked: Asked) => string): (asked: Asked) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>()
  return (asked) => {
    const name = nameOf(asked)
    const running = underWay.get(name) ?? work(asked).finally(() => underWay.delete(name))
    underWay.set(name, running)
    return running
  }
}
