import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { PROGRAM, runHere, useCommandLine, type CommandLine, type Running } from '../testing/command-line.ts'
import { callApi, type Answer } from '../testing/user.ts'

const commandLine = useCommandLine()

const NO_ORGANIZATION = 'There is no organization yet; `parley start` prints a link with which its owner sets it up.'

const AS_ROOT = process.geteuid?.() === 0
/** Whether this machine lets a process have a disk of its own. */
const MAY_MOUNT = spawnSync('unshare', ['-rm', 'true']).status === 0

// The quote must not end a word of the printed lines.
const EMAIL = "olga.o'wner@example.com"
const PASSWORD = 'correct-horse-battery'
const UNATTENDED = {
  PARLEY_ORGANIZATION: 'Clean Clone',
  PARLEY_OWNER_NAME: 'Olga Owner',
  PARLEY_OWNER_EMAIL: EMAIL,
  PARLEY_OWNER_PASSWORD: PASSWORD,
}

/** What is printed as long as there is no organization. */
const LINK = /^Set it up {2}http:\S+\/setup#([\w-]{43})$/m

/** An external database, in which no server has started yet. */
async function emptyDatabase(): Promise<{ database: string; url: string }> {
  const { host, port, user } = inject('postgres')
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await admin.query(`create database ${database}`)
  onTestFinished(async () => {
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  })
  return { database, url: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}` }
}

async function lookAt({ url }: Running, token: string): Promise<Answer> {
  return callApi(url, new URL(url).host, 'POST', '/setup/link', { token })
}

/** A file that a database server takes away when it ends in order. */
const postmasterOf = ({ directory }: CommandLine): string => join(directory, 'data/postgres/data/postmaster.pid')

describe('the first start', () => {
  it('makes what the environment says, and prints two lines with which a message arrives', async () => {
    const parley = await commandLine()
    const server = await parley.stay('start', UNATTENDED)
    expect(server.stdout()).toContain('Clean Clone')
    expect(server.stdout()).toContain(`Olga Owner, ${EMAIL}`)
    expect(server.stdout()).not.toContain(PASSWORD)
    // Nothing is worth a line of the log.
    expect(server.stdout()).not.toContain('"level"')

    // What is printed may be kept in a log, so the lines ask for the key in place of holding it.
    const { stdout: apiKey } = await parley.run(['user', 'api-key', EMAIL])
    expect(server.stdout()).not.toContain(apiKey.trim())
    // Nothing of npm has started it.
    const asked = /"\$\(node \S+bin\/parley\.js user api-key [^)]*\)"/
    const [wait = '', send = ''] = [...server.stdout().matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) =>
      line.replace(asked, apiKey.trim()),
    )
    const waiting = paste(wait)
    // Whether the first line waits already is not to be seen from here, so the second is pasted until it answers.
    const ended = new AbortController()
    void waiting.finally(() => ended.abort())
    const ids: number[] = []
    while (!ended.signal.aborted) ids.push((JSON.parse(await paste(send)) as { id: number }).id)
    const { events } = JSON.parse(await waiting) as { events: { message: { id: number; content: string } }[] }
    expect(events[0]?.message).toMatchObject({ content: 'Hello', display_recipient: 'general' })
    expect(ids).toContain(events[0]?.message.id)
  })

  it('shows a person the key of the owner that the environment names, once', async () => {
    const { settings } = await commandLine()
    const stopping = new AbortController()
    // Printed last, when it serves.
    const printed = (text: string): void => {
      if (text.includes('Ctrl-C')) stopping.abort()
    }
    const terminal = { isInteractive: true, printed, stopped: stopping.signal }
    const { code, stdout } = await runHere(['start'], { ...settings, ...UNATTENDED }, terminal)
    expect(code).toBe(0)
    expect(stdout).toMatch(/curl .* -u '\S+:\w{32}' /)
  })

  it('prints a link with which the owner sets the organization up, and another at each start until that is done', async () => {
    const parley = await commandLine()
    const first = await parley.stay('start', { PARLEY_ORGANIZATION: 'Acme' })
    const [, printed = ''] = LINK.exec(first.stdout()) ?? []
    expect(await lookAt(first, printed)).toMatchObject({ status: 200, body: { realm_name: 'Acme' } })
    expect((await parley.run(['organization', 'show'])).stderr).toContain('There is no organization yet')
    expect(await parley.run(['organization', 'list'])).toEqual({ code: 0, stdout: '', stderr: `${NO_ORGANIZATION}\n` })
    const { stdout: listed } = await parley.run(['organization', 'list', '--json'])
    expect(JSON.parse(listed)).toEqual({ organizations: [] })
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' })

    const second = await parley.stay('start')
    const [, token = ''] = LINK.exec(second.stdout()) ?? []
    expect(token).not.toBe(printed)
    const owner = { full_name: 'Ann Acme', email: 'ann@acme.example', password: 'seven purple elephants' }
    const path = `${second.url}/api/v1/setup`
    const form = { token, realm_name: 'Acme & Sons', ...owner, channels: '[{"name":"team"}]' }
    expect((await fetch(path, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(200)
    for (const used of [token, printed]) expect((await lookAt(second, used)).status).toBe(401)
    const { stdout: apiKey } = await parley.run(['user', 'api-key', owner.email])
    const ann = second.user(owner.email, apiKey.trim())
    expect(await ann.call('GET', '/users/me')).toMatchObject({ is_owner: true, full_name: 'Ann Acme' })
    await second.stop()

    const third = await parley.stay('start')
    expect(third.stdout()).toContain('serves Acme & Sons at')
    expect(third.stdout()).toContain(`node ${PROGRAM} user api-key ann@acme.example`)
    expect(third.stdout()).not.toMatch(LINK)
    expect(third.stdout()).not.toContain(apiKey.trim())
    await third.stop()

    const fourth = await parley.stay('start', { npm_command: 'start' })
    expect(fourth.stdout()).toContain('npx parley user api-key ann@acme.example')
  })

  it('makes the owner of the environment at a later start, as long as nobody was set up', async () => {
    const parley = await commandLine()
    const first = await parley.stay('start')
    const [, token = ''] = LINK.exec(first.stdout()) ?? []
    await first.stop()
    const second = await parley.stay('start', UNATTENDED)
    expect(second.stdout()).toContain(`Olga Owner, ${EMAIL}`)
    expect((await lookAt(second, token)).status).toBe(401)
  })
})

describe('a start', () => {
  it('makes nothing while another program listens where it shall', async () => {
    const parley = await commandLine()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const PORT = String(typeof address === 'object' ? address?.port : '')
    const { code, stdout, stderr } = await parley.run(['start'], { environment: { ...UNATTENDED, PORT } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^parley: Cannot listen where HOST and PORT say, .*EADDRINUSE.*\n$/)
    await once(other.close(), 'close')
    // The next start is the first, and tells all that a first one tells.
    const server = await parley.stay('start', { ...UNATTENDED, PORT })
    expect(server.stdout()).toContain('Made the organization Clean Clone')
  })

  it('waits for a database that is not there yet', async () => {
    const parley = await commandLine()
    const { host, user } = inject('postgres')
    const { database } = await emptyDatabase()
    const sockets = new Set<Socket>()
    let refused = 0
    const proxy = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      if (refused < 3) {
        refused += 1
        socket.destroy()
        return
      }
      const there = connect(join(host, '.s.PGSQL.5432'))
      there.on('error', () => socket.destroy())
      socket.pipe(there).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = proxy.address()
    const port = typeof address === 'object' ? address?.port : ''
    const environment = { DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database}` }
    const server = await parley.stay('start', environment)
    expect(refused).toBe(3)
    expect(server.stdout().match(/the database does not answer: waiting for it/g)).toHaveLength(1)
    expect(server.stdout()).toMatch(LINK)
    expect(await server.stop()).toMatchObject({ code: 0 })
    // It says why when it is told to stop, and when it has waited for long enough.
    refused = Number.NEGATIVE_INFINITY
    const settings = { ...parley.settings, ...environment }
    const stopped = await runHere(['start'], settings, { stopped: AbortSignal.abort() })
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('Stopped while') as string })
    const late = await runHere(['start'], { ...settings, PARLEY_DATABASE_WAIT_SECONDS: '1' })
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot use the PostgreSQL that') as string })
    for (const socket of sockets) socket.destroy()
    await once(proxy.close(), 'close')
  })

  it('writes into standard output what a command answers, and into standard error what the log says', async () => {
    const parley = await commandLine()
    const { url } = await emptyDatabase()
    const environment = { DATABASE_URL: url, PARLEY_LOG_LEVEL: 'info' }
    const owner = ['--name', 'North', '--owner-email', 'nora@north.example', '--owner-name', 'Nora']
    const made = await parley.run(['organization', 'create', 'north', ...owner], { environment })
    expect(made.stdout).toMatch(/^Made North\n/)
    expect(made.stdout).not.toContain('"msg"')
    expect(made.stderr).toContain('"msg":"migrated"')
  })

  it('says in a sentence whose the data folder is, where another user made it', async () => {
    const parley = await commandLine()
    const data = parley.settings['PARLEY_DATA_DIR'] ?? ''
    await mkdir(data)
    await chmod(parley.directory, 0o755)
    // Root is kept from nothing, so there somebody else is started.
    await chmod(data, AS_ROOT ? 0o700 : 0)
    for (const command of [['start'], ['organization', 'list'], ['backup', join(parley.directory, 'backup')]]) {
      const child = spawn(process.execPath, [PROGRAM, ...command], {
        ...(AS_ROOT ? { uid: 65_534, gid: 65_534 } : {}),
        env: { ...process.env, ...parley.settings },
      })
      let told = ''
      child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
      await once(child, 'close')
      expect(child.exitCode).toBe(1)
      expect(told).toMatch(/^parley: The data folder \S+ belongs to uid \d+, and this user may not use it\. .*\n$/)
    }
    await chmod(data, 0o700)
    expect(await readdir(data)).toEqual([])
  })

  it.runIf(MAY_MOUNT)('says of a data folder on a disk that is read only that it is', async () => {
    const parley = await commandLine()
    const disk = join(parley.directory, 'disk')
    await mkdir(disk)
    const data = join(disk, 'deep/data')
    const mounted = `mount -t tmpfs -o ro none "$0" && exec "$@"`
    const command = ['-rm', '/bin/sh', '-c', mounted, disk, process.execPath, PROGRAM, 'start']
    const reason = `EROFS: read-only file system, mkdir '${join(disk, 'deep')}'`
    for (const database of [{}, { DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley' }]) {
      const env = { ...process.env, ...parley.settings, ...database, PARLEY_DATA_DIR: data }
      const child = spawn('unshare', command, { env })
      let told = ''
      child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
      await once(child, 'close')
      expect([child.exitCode, told]).toEqual([1, `parley: Cannot make the data directory ${data}: ${reason}\n`])
    }
  })
})

describe('a later start', () => {
  it('leaves no database server when its environment is refused', async () => {
    const parley = await commandLine()
    await (await parley.stay('start')).stop()
    const { code, stdout, stderr } = await parley.run(['start'], { environment: { PORT: 'many' } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^parley: PORT: .*\n$/)
    expect(existsSync(postmasterOf(parley))).toBe(false)
  })

  it('ends in order when it is told to before most of it is there', async () => {
    const parley = await commandLine()
    await (await parley.stay('start')).stop()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const child = spawn(process.execPath, [PROGRAM, 'start'], { env: { ...process.env, ...parley.settings } })
      const ended = once(child, 'exit')
      await vi.waitFor(() => expect(existsSync(postmasterOf(parley))).toBe(true), { timeout: 20_000, interval: 1 })
      child.kill(signal)
      expect(await ended).toEqual([0, null])
      expect(existsSync(postmasterOf(parley))).toBe(false)
    }
  })
})

describe('stopping', () => {
  it('answers parked polls and ends well', async () => {
    const parley = await commandLine()
    const server = await parley.stay('start', UNATTENDED)
    const { stdout: apiKey } = await parley.run(['user', 'api-key', EMAIL])
    const owner = server.user(EMAIL, apiKey.trim())
    const queue = await owner.register({ fetch_event_types: [] })
    const poll = owner.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
    // Asked later, answered when the poll has long been parked.
    for (let request = 0; request < 3; request += 1) await owner.call('GET', '/users')
    const stopped = server.stop('SIGTERM')
    expect(await poll).toMatchObject({ result: 'success', events: [] })
    expect(await stopped).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a database that was killed', () => {
  it('refuses connections until it is ready, without a line of PostgreSQL in the log for each', async () => {
    const parley = await commandLine()
    const server = await parley.stay('start', UNATTENDED)
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
    // PostgreSQL may be ready again before the first connection is refused: then it is killed once more.
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
})

describe('what the person can put right', () => {
  it.each([
    [{ PORT: 'many' }, 'PORT: '],
    [{ PARLEY_RATE_LIMIT_USER: 'some' }, 'PARLEY_RATE_LIMIT_USER: must be written count/seconds'],
    [{ DATABASE_URL: 'mysql://localhost' }, 'DATABASE_URL: must look like postgres://'],
    [{ DATABASE_URL: 'postgres://parley:secret@host:port/parley' }, 'DATABASE_URL: must look like postgres://'],
    [{ DATABASE_URL: 'postgres://parley:secret@one:5432,two:port/parley' }, 'DATABASE_URL: must look like postgres://'],
    [{ DATABASE_URL: 'postgres:///parley?host=one,two&password=secret' }, 'DATABASE_URL: must look like postgres://'],
    [
      { DATABASE_URL: 'postgres://one,two/parley?target_session_attrs=any' },
      'DATABASE_URL: target_session_attrs must be read-write',
    ],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1,127.0.0.1:2/parley', PARLEY_DATABASE_WAIT_SECONDS: '0' },
      'Cannot use the PostgreSQL that DATABASE_URL names: no server that DATABASE_URL names takes writes',
    ],
    [
      { DATABASE_URL: 'postgres://parley:secret@127.0.0.1:1/parley', PARLEY_DATABASE_WAIT_SECONDS: '0' },
      'Cannot use the PostgreSQL that DATABASE_URL names: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [
      { PARLEY_OWNER_EMAIL: 'nobody', PARLEY_OWNER_PASSWORD: 'correct-horse-battery' },
      'Cannot make the organization: Enter a valid email address.',
    ],
    [{ PARLEY_OWNER_NAME: 'Ann' }, 'PARLEY_OWNER_PASSWORD: is missing.'],
    [{ PARLEY_OWNER_EMAIL: 'ann@example.com' }, 'PARLEY_OWNER_PASSWORD: is missing.'],
  ])('is told in one line: %j', async (environment: Record<string, string>, complaint) => {
    const { settings } = await commandLine()
    const { code, stdout, stderr } = await runHere(['start'], { ...settings, ...environment })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`parley: ${complaint}`)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('secret')
  })
})

/**
 * Does what a shell and curl would with a printed line. There need not be a curl where the tests run; the trial of a
 * clean clone pastes the lines into a real shell.
 */
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
