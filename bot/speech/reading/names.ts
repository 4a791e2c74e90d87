/** Names for what a text refers to by id; what is unknown is spoken as a plain word. */
export interface Names {
  user(id: string): string | undefined
  role(id: string): string | undefined
  channel(id: string): string | undefined
}
