import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

/** For tests: the system's own Chromium, since the driver's downloads a browser of its own only where it may. */
const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

export const noChromium = !existsSync(path)
if (noChromium) console.warn(`SKIPPED: the page in a browser. No Chromium at ${path}; set CHROMIUM_PATH or install it.`)

const FLAGS = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'
]

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: FLAGS })
}
