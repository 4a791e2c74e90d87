const DOES = ['refresh', 'pick', 'enable', 'disable', 'drain', 'test', 'open'] as const
export type Does = (typeof DOES)[number]

/** What a control of the panel does, and the node that is picked there; all of it stands in its `customId`, so that it works after a restart. */
export interface Control {
  does: Does
  tag: string
}

export function idOf({ does, tag }: Control): string {
  return `nodes:${does}:${tag}`
}

/** Undefined for a control that is none of ours, or of another version. */
export function controlOf(customId: string): Control | undefined {
  const [, named, tag = ''] = customId.split(':')
  const does = DOES.find((each) => each === named)
  return does === undefined ? undefined : { does, tag }
}
