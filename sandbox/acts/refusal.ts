/** What Discord's client would not let a person do, in words for that person. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
