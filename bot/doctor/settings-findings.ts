import type { ConfigResult } from '../core/config.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'

/** Every fault of the settings, by the setting's name; and names that look like one. */
export function settingsFindings(read: ConfigResult): Finding[] {
  if (!read.ok) {
    return read.faults.map((fault) => {
      const [name, what] = split(fault)
      return finding('settings.fault', name, `can't be used: ${what}.`, `Set ${name} anew, or leave it out; README has a table of all settings.`)
    })
  }
  const unknown = read.warnings.map((warning) => finding(
    'settings.unknown', warning.split(' ', 1)[0] ?? '', warning, 'Correct its name, or take it away.'
  ))
  return [finding('settings.ok', 'settings', 'can all be read.'), ...unknown]
}

function split(fault: string): [string, string] {
  const at = fault.indexOf(': ')
  return [fault.slice(0, at), fault.slice(at + 2)]
}
