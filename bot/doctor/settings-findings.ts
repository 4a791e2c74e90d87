import type { ConfigResult } from '../core/config.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'

/** Every fault of the settings, by the setting's name; and names that look like one. @param isSet whether a setting is there */
export function settingsFindings(read: ConfigResult, isSet: (name: string) => boolean): Finding[] {
  const unknown = read.warnings.map((warning) => finding(
    'settings.unknown', warning.split(' ', 1)[0] ?? '', warning, 'Correct its name, or take it away.'
  ))
  if (read.ok) return [finding('settings.ok', 'settings', 'can all be read.'), ...unknown]
  const faults = read.faults.map((fault) => {
    const [name, what] = split(fault)
    return isSet(name)
      ? finding('settings.fault', name, `can't be used: ${what}.`, `Set ${name} anew, or leave it out; README has a table of all settings.`)
      : finding('settings.fault', name, `is not set: ${what}.`, `Set ${name}; README has a table of all settings.`)
  })
  return [...faults, ...unknown]
}

function split(fault: string): [string, string] {
  const at = fault.indexOf(': ')
  return [fault.slice(0, at), fault.slice(at + 2)]
}
