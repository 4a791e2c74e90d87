/** What a client that lists models finds: one, since the voice is what matters here. Any other name is taken as this one. */
export const MODELS = [{ id: 'voxpool', object: 'model', created: 0, owned_by: 'voxpool' }] as const

export function modelOf(id: string): (typeof MODELS)[number] | undefined {
  return MODELS.find((model) => model.id === id)
}
