import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { schemas } from '../bot/wire/index.ts'

/** `npm run wire`: writes the contracts as JSON Schema for the node. `--check` fails when the file is stale. */
const file = new URL('./wire.schema.json', import.meta.url)

const $defs = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _, ...definition } = z.toJSONSchema(schema, { io: 'input' })
    return [name, definition]
  })
)
const text = `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'voxpool-wire', $defs }, null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.error('colab/wire.schema.json is stale: run `npm run wire`')
    process.exitCode = 1
  }
} else {
  writeFileSync(file, text)
}
