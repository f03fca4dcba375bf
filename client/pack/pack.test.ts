import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import * as contract from '../../server/src/contract.ts'
import { ERRORS, GENERAL_ERRORS } from '../../server/src/kernel/refusal.ts'
import type { ReceivedEvent } from '../../server/src/testing/contract-types.ts'
import { isObject } from '../../server/src/testing/json.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { Body } from '../../server/src/testing/user.ts'
import { packageClient } from '../pack.js'
import { typeText } from './type-text.js'

const ROOT = join(import.meta.dirname, '../..')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

/** Computed types, which the package declares more precisely than the compiler infers. */
const COMPUTED_TYPES = new Set(['organizations.updateRealm InputOf'])

// Serves the organization at every host.
const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })
/** Folder outside the workspace where the packed client is installed. */
let folder = ''
let children: ChildProcess[] = []

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-package-')))
  const packed = join(folder, 'packed')
  await packageClient(ROOT, packed)
  await run('npm', ['pack', '--pack-destination', folder], { cwd: packed })
  rmSync(packed, { recursive: true })
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
})

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill()
    await once(child, 'exit')
  }
  children = []
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

const installedPath = (name: string): string => join(folder, 'node_modules/@parley/client', name)

/** Compiles files in the folder. @returns the error lines, each starting with a file name */
async function faultsOf(names: readonly string[], options: readonly string[] = []): Promise<string[]> {
  const strict = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom']
  const compiled = run(process.execPath, [COMPILER, ...strict, ...options, ...names], { cwd: folder })
  return compiled.then(
    () => [],
    (error: unknown) =>
      String(isObject(error) ? error['stdout'] : error)
        .trimEnd()
        .split('\n'),
  )
}

const README = readFileSync(join(ROOT, 'client/README.md'), 'utf8')

/** The README's bot with the URL and key of the test server. */
function botOf({ url, email, apiKey }: { url: string; email: string; apiKey: string }): string {
  const code = /```js\n(.*?)```/s.exec(README)?.[1] ?? ''
  return code
    .replace('https://chat.example.com', url)
    .replace('echo-bot@chat.example.com', email)
    .replace('THE-KEY-OF-THE-BOT', apiKey)
}

describe('client package', () => {
  it('packs the client without dependencies and without schemas in its types', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@parley'])
    expect(readdirSync(join(folder, 'node_modules/@parley'))).toEqual(['client'])
    const files = readdirSync(installedPath(''))
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json']))
    for (const name of files.filter((file) => /\.(js|ts|json)$/.test(file))) {
      expect([
        name,
        readFileSync(installedPath(name), 'utf8').match(/from ["'](?!\.)|\bzod\b|@parley\/server|\brequire\(/g),
      ]).toEqual([name, null])
    }
  })

  it('exports the same types as the contract for every endpoint and event', { timeout: 300_000 }, async () => {
    const declared = Object.entries(contract).flatMap(([capability, exported]) =>
      Object.entries(exported).map(([name, value]): [string, unknown] => [`${capability}.${name}`, value]),
    )
    const has = (field: string) => (entry: [string, unknown]) =>
      typeof entry[1] === 'object' && entry[1] !== null && field in entry[1]
    const endpoints = declared.filter(has('path')).map(([name]) => name)
    const events = declared.filter(has('touches')).map(([name]) => name)
    expect([endpoints.length > 150, events.length > 70]).toEqual([true, true])
    const compare = (name: string, kind: string): string =>
      `true satisfies ${COMPUTED_TYPES.has(`${name} ${kind}`) ? 'Fits' : 'Same'}<Packed.${kind}<typeof packed.${name}>, Own.${kind}<typeof own.${name}>>`
    const program = (lines: readonly string[]): string =>
      [
        "import type * as Packed from '@parley/client'",
        "import type * as packed from '@parley/client'",
        `import type * as Own from '${ROOT}/client/src/types.ts'`,
        `import type * as own from '${ROOT}/server/src/contract.ts'`,
        'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false',
        'type Fits<A, B> = [A] extends [B] ? true : false',
        ...lines,
      ].join('\n')
    const same = [
      ...endpoints.flatMap((name) => [compare(name, 'InputOf'), compare(name, 'Answer')]),
      ...events.map((name) => compare(name, 'PayloadOf')),
    ]
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
    const options = ['--allowImportingTsExtensions', '--exactOptionalPropertyTypes', '--skipLibCheck', ...types]
    write('same.ts', program(same))
    write(
      'other.ts',
      program(['true satisfies Same<Packed.InputOf<typeof packed.messages.sendMessage>, { to: string }>']),
    )
    // Detects the error in one file and no error in the other.
    expect(await faultsOf(['same.ts', 'other.ts'], options)).toEqual([expect.stringMatching(/^other\.ts\(7,.*'false'/)])
  })

  it('rejects a schema that has no known TypeScript type', () => {
    expect(() => typeText(z.array(z.date()), new Map())).toThrow(/^date: schemas of this kind have no known type/)
  })
})

describe('README bot', () => {
  it('compiles the ten-line README bot without errors', async () => {
    const bot = botOf({ url: 'http://localhost', email: 'echo@example.com', apiKey: 'key' })
    expect(bot.trimEnd().split('\n')).toHaveLength(10)
    write('bot.ts', bot)
    write(
      'wrong.ts',
      bot.replace("type: 'direct'", "type: 'letter'").replace('{ sender_id, content }', '{ sender, content }'),
    )
    const faults = await faultsOf(['bot.ts', 'wrong.ts'])
    expect(faults.filter((line) => /^\S/.test(line) && !line.startsWith('wrong.ts'))).toEqual([])
    const text = faults.join('\n')
    expect([/'"letter"' is not assignable/.test(text), /'sender'/.test(text)]).toEqual([true, true])
  })

  it('makes the README bot answer only people who write to it', async () => {
    const { owner, user } = await server().organization('Test', { stringId: '' })
    const echo = await user('Echo', { bot: { ownerId: owner.id } })
    const [heard, others] = [await owner.register(), await (await user('Ann')).register()]
    write('bot.js', botOf(echo))
    children.push(spawn(process.execPath, ['bot.js'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }))
    const { pool } = server().parley.database
    const queuesOf = async (): Promise<number | null> =>
      (await pool.query('select from queues where user_id = $1', [echo.id])).rowCount
    await expect.poll(queuesOf).toBe(1)
    const asked = await owner.sendTo([echo.id], 'Is there anybody?')
    const told: Body[] = []
    await expect.poll(async () => told.push(...messagesOf(await heard.events()))).toBe(2)
    expect(told).toMatchObject([
      { id: asked, sender_id: owner.id },
      { sender_id: echo.id, type: 'private', content: '<p>Is there anybody?</p>' },
    ])
    expect(messagesOf(await others.events())).toEqual([])
  })
})

function messagesOf(events: readonly ReceivedEvent[]): Body[] {
  return events.flatMap(({ type, message }) => (type === 'message' && message !== undefined ? [message] : []))
}

describe('README errors', () => {
  it('lists all common errors in the README, and only errors that exist', () => {
    const [, section = ''] = README.split('\n## Errors\n')
    const named = [...section.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code]) => `${code}`)
    expect(named.filter((code) => !(code in ERRORS))).toEqual([])
    expect(GENERAL_ERRORS.filter((code) => !named.includes(code))).toEqual([])
  })
})
