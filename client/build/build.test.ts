import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { parseAst } from 'rolldown/parseAst'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as contract from '../../server/src/contract.ts'
import { isObject, objectsIn } from '../../server/src/testing/json.ts'
import { buildClient, removeSchemasPlugin } from '../build.js'
import type * as client from '../src/index.ts'
import { events } from '../src/events.ts'
import { keepClientFields } from './small.js'

const ROOT = join(import.meta.dirname, '../..')
/** Budget for all endpoints and events, unread ranges, and unread counts without muted messages. */
const BUDGET_BYTES_COMPRESSED = 17_300

let folder = ''
let code = ''
let built: typeof client & Readonly<Record<string, Readonly<Record<string, unknown>>>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-client-'))
  code = await buildClient(ROOT)
  writeFileSync(join(folder, 'client.mjs'), code)
  // Exports the client, and each capability's declarations under its name.
  built = (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as typeof built
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The fields of each declaration that clients need at run time. */
function clientFieldsOf(capability: object): Record<string, unknown> {
  const declarations = Object.entries(capability).flatMap(([name, exported]): [string, unknown][] => {
    if (!isObject(exported)) return []
    // Only endpoints have a path, and only events have `touches`.
    if ('path' in exported) {
      const { method, path, file, isWebhook } = exported
      return [[name, { method, path, file, isWebhook }]]
    }
    if (!('touches' in exported)) return []
    const { type, op, touches, apply, touchesNamed } = exported
    return [[name, { type, op, touches, apply: typeof apply, named: typeof touchesNamed }]]
  })
  return Object.fromEntries(declarations)
}

describe('browser build of the client', () => {
  it('keeps every endpoint and event in the browser build, with the fields that clients need', () => {
    const capabilities = Object.entries(contract)
    expect(Object.fromEntries(capabilities.map(([name]) => [name, clientFieldsOf(built[name] ?? {})]))).toEqual(
      Object.fromEntries(capabilities.map(([name, capability]) => [name, clientFieldsOf(capability)])),
    )
    const inBuilt = capabilities.flatMap(([name]) => Object.values(clientFieldsOf(built[name] ?? {})))
    expect(inBuilt.filter((declaration) => 'touches' in Object(declaration))).toHaveLength(events.length)
  })

  it('keeps the browser build within its size budget', () => {
    const bytes = gzipSync(code, { level: 9 }).length
    process.stdout.write(`the client: ${bytes} bytes compressed, ${code.length} bytes\n`)
    expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES_COMPRESSED)
  })
})

/** Bundles a client module. @returns the error messages */
async function problemsOf(contents: string): Promise<string[]> {
  writeFileSync(join(folder, 'planted.ts'), contents)
  const building = build({
    absWorkingDir: ROOT,
    stdin: { contents: "export * from './planted.ts'", resolveDir: folder },
    plugins: [removeSchemasPlugin(ROOT)],
    nodePaths: [join(ROOT, 'node_modules')],
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
  })
  return building.then(
    () => [],
    (error: unknown) => objectsIn(isObject(error) ? error['errors'] : error).map(({ text }) => String(text)),
  )
}

describe('browser builds of client modules', () => {
  it('accepts a client module that uses endpoints, limits, and functions of the contract', async () => {
    const uses = 'export const all = [messages.sendMessage, messages.WIDGET, messages.addUnread]'
    expect(await problemsOf(`import { messages } from '@parley/server/contract'\n${uses}`)).toEqual([])
  })

  it.each([
    ['a schema', 'export const used = messages.message'],
    ['all exports of a contract', 'export const used = Object.keys(messages)'],
  ])('rejects a client module that uses %s', async (_, uses) => {
    expect(await problemsOf(`import { messages } from '@parley/server/contract'\n${uses}`)).toEqual([
      expect.stringMatching(/contains schemas \(\d+ bytes of zod\)/),
    ])
  })

  it('rejects a client module that imports the whole contract at once', async () => {
    expect(await problemsOf("import * as all from '@parley/server/contract'\nexport const used = all")).toEqual([
      expect.stringMatching(/planted\.ts:1: a client must name the capabilities that it imports$/),
    ])
  })

  it.each([
    ["endpoint({ method: 'GET', ...elsewhere })", 'only a constant object of the same module can be spread'],
    ["endpoint({ ['method']: 'GET' })", 'takes fields with names that are written out'],
    ['endpoint(declaration)', 'requires an object literal'],
  ])('rejects an endpoint declaration that cannot be read statically: %s', (value, problem) => {
    const text = `import { endpoint } from '../../kernel/endpoint.ts'\nexport const planted = ${value}\n`
    const source = { path: 'planted.ts', text, program: parseAst(text, { lang: 'ts' }) }
    expect(() => keepClientFields(source)).toThrow(new RegExp(`^planted\\.ts:2: .*${problem}`))
  })
})
