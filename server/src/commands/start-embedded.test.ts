import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { parseObject } from '../testing/json.ts'
import { PROGRAM, useProgram, type Program } from '../testing/program.ts'

const program = useProgram(afterAll)

// The quote must not break the printed commands.
const EMAIL = "olga.o'wner@example.com"
const PASSWORD = 'correct-horse-battery'
const EVENTS_ANSWER = z.object({ events: z.array(z.object({ message: z.looseObject({ id: z.number() }) })) })
const UNATTENDED_SETTINGS = {
  PARLEY_ORGANIZATION: 'Clean Clone',
  PARLEY_OWNER_NAME: 'Olga Owner',
  PARLEY_OWNER_EMAIL: EMAIL,
  PARLEY_OWNER_PASSWORD: PASSWORD,
}

/** PostgreSQL removes this file when it shuts down cleanly. */
const postmasterOf = ({ directory }: Program): string => join(directory, 'data/postgres/data/postmaster.pid')

/** Shared by all tests, because creating a database takes seconds. */
let parley: Program
beforeAll(async () => {
  parley = await program()
})

it('creates the configured organization, prints working example commands, and exits cleanly on SIGHUP', async () => {
  const server = await parley.stay('start', UNATTENDED_SETTINGS)
  expect(server.stdout()).toContain('Clean Clone')
  expect(server.stdout()).toContain(`Olga Owner, ${EMAIL}`)
  expect(server.stdout()).not.toContain(PASSWORD)
  expect(server.stdout()).not.toContain('"level"')

  // The output may be stored in a log, so the commands fetch the key instead of containing it.
  const { stdout: apiKey } = await parley.run(['user', 'api-key', EMAIL])
  expect(server.stdout()).not.toContain(apiKey.trim())
  const asked = /"\$\(node \S*bin\/parley\.js user api-key [^)]*\)"/
  const [wait = '', send = ''] = [...server.stdout().matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) =>
    line.replace(asked, apiKey.trim()),
  )
  const waiting = paste(wait)
  // The first command may not wait for events yet, so the second is repeated until the first ends.
  const ended = new AbortController()
  void waiting.finally(() => ended.abort())
  const ids: number[] = []
  while (!ended.signal.aborted) ids.push(Number(parseObject(await paste(send))['id']))
  const { events } = EVENTS_ANSWER.parse(JSON.parse(await waiting))
  expect(events[0]?.message).toMatchObject({ content: 'Hello', display_recipient: 'general' })
  expect(ids).toContain(events[0]?.message.id)

  const owner = server.user(EMAIL, apiKey.trim())
  const queue = await owner.register({ fetch_event_types: [] })
  const poll = owner.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
  // When the server has answered these requests, the poll has been parked.
  for (let request = 0; request < 3; request += 1) await owner.call('GET', '/users')
  const stopped = server.stop('SIGHUP')
  expect(await poll).toMatchObject({ result: 'success', events: [] })
  expect(await stopped).toMatchObject({ code: 0, stderr: '' })
})

it('detects a data directory restored from a copy and reuses no ID', async () => {
  const data = join(parley.directory, 'data')
  const copy = join(parley.directory, 'copy')
  const first = await parley.stay('start', UNATTENDED_SETTINGS)
  const { stdout: apiKey } = await parley.run(['user', 'api-key', EMAIL])
  const owner = first.user(EMAIL, apiKey.trim())
  const queue = await owner.register({ event_types: ['message'] })
  await first.stop()
  await cp(data, copy, { recursive: true })

  const second = await parley.stay('start', UNATTENDED_SETTINGS)
  const later = second.user(EMAIL, apiKey.trim())
  let lost = 0
  for (let count = 0; count < 20; count += 1) lost = await later.send('general', 'hello', `Lost ${count}`)
  await second.stop()
  await rm(data, { recursive: true })
  await rename(copy, data)

  const third = await parley.stay('start', UNATTENDED_SETTINGS)
  const restored = third.user(EMAIL, apiKey.trim())
  const poll = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
  expect((await restored.try('GET', '/events', poll)).body['code']).toBe('BAD_EVENT_QUEUE_ID')
  expect(await restored.send('general', 'hello', 'After the restore')).toBeGreaterThan(lost)
  await third.stop()
})

it('leaves no database server running after an invalid setting is rejected', async () => {
  const { code, stdout, stderr } = await parley.run(['start'], { environment: { PORT: 'many' } })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^parley: PORT: .*\n$/)
  expect(existsSync(postmasterOf(parley))).toBe(false)
})

it('stops the embedded database when a signal arrives during startup', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'start'], { env: { ...process.env, ...parley.settings } })
  const ended = once(child, 'exit')
  await vi.waitFor(() => expect(existsSync(postmasterOf(parley))).toBe(true), { timeout: 20_000, interval: 1 })
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(existsSync(postmasterOf(parley))).toBe(false)
})

it('rejects connections while the killed embedded database restarts, without logging each rejection', async () => {
  const server = await parley.stay('start', UNATTENDED_SETTINGS)
  const folder = join(parley.directory, 'data/postgres')
  const refusals = new Set<string>()
  const isRefused = async (): Promise<boolean> => {
    const client = new pg.Client({ host: folder, user: 'parley', database: 'parley' })
    try {
      await client.connect()
      await client.end()
      return false
    } catch (error) {
      refusals.add(error instanceof Error ? error.message : '')
      return true
    }
  }
  const saysNotReady = (text: string): boolean => text.includes('the database system is')
  // PostgreSQL may recover before a connection is refused, so the test kills it repeatedly.
  for (let kills = 0; kills < 10 && ![...refusals].some(saysNotReady); kills += 1) {
    process.kill(Number.parseInt(await readFile(join(folder, 'data/postmaster.pid'), 'utf8')), 'SIGKILL')
    while ((await Promise.all([isRefused(), isRefused(), isRefused()])).includes(true)) await setImmediate()
  }
  const { code, stdout } = await server.stop()
  expect(code).toBe(0)
  expect([...refusals].filter(saysNotReady)).not.toEqual([])
  expect(stdout).toContain('PostgreSQL ended unexpectedly: starting it again')
  expect(stdout.split('\n').filter((line) => line.includes('postgres: ') && saysNotReady(line))).toEqual([])
})

/** Curl may not be installed. The trial of a clean clone pastes the lines into a real shell. */
async function paste(line: string): Promise<string> {
  const words = [...line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|\\(.)/g,
      (_, quoted: string | undefined, escaped: string | undefined) => quoted ?? escaped ?? '',
    ),
  )
  const after = (option: string): string[] =>
    words.flatMap((word, at) => (word === option ? [words[at + 1] ?? ''] : []))
  const fields = new URLSearchParams()
  for (const field of [...after('-d'), ...after('--data-urlencode')]) {
    const equals = field.indexOf('=')
    fields.append(field.slice(0, equals), field.slice(equals + 1))
  }
  const url = words.find((word) => word.startsWith('http')) ?? ''
  const headers = { authorization: `Basic ${Buffer.from(after('-u')[0] ?? '').toString('base64')}` }
  const answer = words.includes('-G')
    ? await fetch(`${url}?${fields.toString()}`, { headers })
    : await fetch(url, { method: 'POST', headers, body: fields })
  return answer.text()
}
