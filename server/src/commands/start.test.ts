import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { runHere, useCommandLine, type CommandRun } from '../testing/command-line.ts'
import { databaseUrl } from '../testing/databases.ts'
import { textWith } from '../testing/expected.ts'
import { PROGRAM, useProgram } from '../testing/program.ts'
import { callApi, type Answer } from '../testing/user.ts'

const commandLine = useCommandLine()
const program = useProgram()

const NO_ORGANIZATION = 'No organization exists yet. Run `parley start` and open the setup link that it prints.'

const IS_ROOT = process.geteuid?.() === 0
/** Whether a process can mount its own disk. */
const CAN_MOUNT = spawnSync('unshare', ['-rm', 'true']).status === 0

// The quote must not break the printed commands.
const EMAIL = "olga.o'wner@example.com"
const PASSWORD = 'correct-horse-battery'
const UNATTENDED_SETTINGS = {
  PARLEY_ORGANIZATION: 'Clean Clone',
  PARLEY_OWNER_NAME: 'Olga Owner',
  PARLEY_OWNER_EMAIL: EMAIL,
  PARLEY_OWNER_PASSWORD: PASSWORD,
}

/** Commands that open the data directory before anything else. */
const DATA_COMMANDS = [
  'start',
  'backup /nowhere/backup',
  'export /nowhere/archive',
  'files move s3://harbour',
  'import parley /nowhere/archive',
  'import slack /nowhere/export.zip --dry-run',
  'organization create north --name North --owner-email nora@north.example --owner-name Nora',
  'prune',
  'stats',
  'upgrade-database',
  'user list',
]

/** Setup link printed while there is no organization. */
const SETUP_LINK = /^Set up {5}http:\S+\/setup#([\w-]{43})$/m

async function createEmptyDatabase(): Promise<{ database: string; url: string }> {
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await admin.query(`create database ${database}`)
  onTestFinished(async () => {
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  })
  return { database, url: databaseUrl({ ...inject('postgres'), database }) }
}

async function requestSetup({ url }: CommandRun, token: string): Promise<Answer> {
  return callApi(url, new URL(url).host, 'POST', '/setup/link', { token })
}

describe('first start', () => {
  it('shows the API key of the new owner in a terminal', async () => {
    const { settings } = await commandLine()
    const stopping = new AbortController()
    const printed = (text: string): void => {
      if (text.includes('Ctrl-C')) stopping.abort()
    }
    const terminal = { isInteractive: true, printed, stopped: stopping.signal }
    const { code, stdout } = await runHere(['start'], { ...settings, ...UNATTENDED_SETTINGS }, terminal)
    expect(code).toBe(0)
    expect(stdout).toMatch(/curl .* -u '\S+:\w{32}' /)
  })

  it('prints a new setup link at each start until the organization is set up', async () => {
    const parley = await commandLine()
    const first = await parley.stay('start', { PARLEY_ORGANIZATION: 'Acme' })
    const [, printed = ''] = SETUP_LINK.exec(first.stdout()) ?? []
    expect(await requestSetup(first, printed)).toMatchObject({ status: 200, body: { realm_name: 'Acme' } })
    expect((await parley.run(['organization', 'show'])).stderr).toContain('No organization exists yet')
    expect(await parley.run(['organization', 'list'])).toEqual({ code: 0, stdout: '', stderr: `${NO_ORGANIZATION}\n` })
    const { stdout: listed } = await parley.run(['organization', 'list', '--json'])
    expect(JSON.parse(listed)).toEqual({ organizations: [] })
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' })

    const second = await parley.stay('start')
    const [, token = ''] = SETUP_LINK.exec(second.stdout()) ?? []
    expect(token).not.toBe(printed)
    const owner = { full_name: 'Ann Acme', email: 'ann@acme.example', password: 'seven purple elephants' }
    const path = `${second.url}/api/v1/setup`
    const form = { token, realm_name: 'Acme & Sons', ...owner, channels: '[{"name":"team"}]' }
    expect((await fetch(path, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(200)
    for (const used of [token, printed]) expect((await requestSetup(second, used)).status).toBe(401)
    const { stdout: apiKey } = await parley.run(['user', 'api-key', owner.email])
    const ann = second.user(owner.email, apiKey.trim())
    expect(await ann.call('GET', '/users/me')).toMatchObject({ is_owner: true, full_name: 'Ann Acme' })
    await second.stop()

    const third = await parley.stay('start')
    expect(third.stdout()).toContain('is serving Acme & Sons at')
    expect(third.stdout()).not.toMatch(SETUP_LINK)
    expect(third.stdout()).not.toContain(apiKey.trim())
    await third.stop()

    const real = await program(parley.settings)
    const fourth = await real.stay('start', { npm_command: 'start' })
    expect(fourth.stdout()).toMatch(/ node \S*bin\/parley\.js user api-key ann@acme\.example/)
  })

  it('creates the configured owner at a later start if no owner was set up', async () => {
    const parley = await commandLine()
    const first = await parley.stay('start')
    const [, token = ''] = SETUP_LINK.exec(first.stdout()) ?? []
    await first.stop()
    const second = await parley.stay('start', UNATTENDED_SETTINGS)
    expect(second.stdout()).toContain(`Olga Owner, ${EMAIL}`)
    expect((await requestSetup(second, token)).status).toBe(401)
  })
})

describe('parley start', () => {
  it("creates no data if the server's port is in use", async () => {
    const parley = await commandLine()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const PORT = String(typeof address === 'object' ? address?.port : '')
    const { code, stdout, stderr } = await parley.run(['start'], { environment: { ...UNATTENDED_SETTINGS, PORT } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^parley: Cannot listen on HOST and PORT .*EADDRINUSE.*\n$/)
    await once(other.close(), 'close')
    const server = await parley.stay('start', { ...UNATTENDED_SETTINGS, PORT })
    expect(server.stdout()).toContain('Created organization Clean Clone')
  })

  it('waits for the database to become reachable', async () => {
    const parley = await program()
    const { host, user } = inject('postgres')
    const { database } = await createEmptyDatabase()
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
    expect(server.stdout().match(/waiting for the database/g)).toHaveLength(1)
    expect(server.stdout()).toMatch(SETUP_LINK)
    expect(await server.stop()).toMatchObject({ code: 0 })
    // The reason is printed when the process is stopped, and when the wait times out.
    refused = Number.NEGATIVE_INFINITY
    const settings = { ...parley.settings, ...environment }
    const stopped = await runHere(['start'], settings, { stopped: AbortSignal.abort() })
    expect(stopped).toMatchObject({ code: 1, stderr: textWith('Stopped while') })
    const late = await runHere(['start'], { ...settings, PARLEY_DATABASE_WAIT_SECONDS: '1' })
    expect(late).toMatchObject({ code: 1, stderr: textWith('Cannot use the PostgreSQL at') })
    for (const socket of sockets) socket.destroy()
    await once(proxy.close(), 'close')
  })

  it('writes the output of commands to stdout, and logs to stderr', async () => {
    const parley = await program()
    const { url } = await createEmptyDatabase()
    const environment = { DATABASE_URL: url, PARLEY_LOG_LEVEL: 'info' }
    const owner = ['--name', 'North', '--owner-email', 'nora@north.example', '--owner-name', 'Nora']
    const made = await parley.run(['organization', 'create', 'north', ...owner], { environment })
    expect(made.stdout).toMatch(/^Created North\n/)
    expect(made.stdout).not.toContain('"msg"')
    expect(made.stderr).toContain('"msg":"migrated"')
  })

  it('reports the owner of an inaccessible data directory', async () => {
    const parley = await program()
    const data = parley.settings['PARLEY_DATA_DIR'] ?? ''
    await mkdir(data)
    await chmod(parley.directory, 0o755)
    // File permissions do not restrict root, so another account runs the command.
    await chmod(data, IS_ROOT ? 0o700 : 0)
    for (const command of [['start'], ['backup', join(parley.directory, 'backup')]]) {
      const child = spawn(process.execPath, [PROGRAM, ...command], {
        ...(IS_ROOT ? { uid: 65_534, gid: 65_534 } : {}),
        env: { ...process.env, ...parley.settings },
      })
      let told = ''
      child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
      await once(child, 'close')
      expect(child.exitCode).toBe(1)
      expect(told).toMatch(/^parley: The data folder \S+ belongs to user ID \d+, and this user cannot use it\. .*\n$/)
    }
    await chmod(data, 0o700)
    expect(await readdir(data)).toEqual([])
  })

  it('reports a missing data directory in every command that needs the embedded database', async () => {
    const { directory } = await commandLine()
    const data = join(directory, 'missing')
    for (const command of DATA_COMMANDS) {
      if (command === 'start') continue
      const { code, stdout, stderr } = await runHere(command.split(' '), { PARLEY_DATA_DIR: data })
      expect([command, code, stdout]).toEqual([command, 1, ''])
      expect(stderr).toMatch(/^parley: (?:No database in|Cannot read the data folder) \S+\/missing\b.*\n$/)
    }
    expect(await readdir(directory)).toEqual([])
  })

  it('rejects a data directory that is a file, is inside a file, or is a broken link', async () => {
    const parley = await commandLine()
    const file = join(parley.directory, 'file')
    await writeFile(file, 'words', { mode: 0o600 })
    await symlink(join(parley.directory, 'nowhere'), join(parley.directory, 'link'))
    await symlink(join(parley.directory, 'loop'), join(parley.directory, 'loop'))
    for (const [data, reason] of [
      [file, 'is a file'],
      [join(file, 'data'), 'would be inside a file'],
      [join(parley.directory, 'link'), 'is a link that leads nowhere'],
      [join(parley.directory, 'loop'), 'is a link that leads to itself'],
    ] as const) {
      const refused = `parley: The data folder ${data} ${reason}. Choose another folder with PARLEY_DATA_DIR.\n`
      for (const command of DATA_COMMANDS) {
        const environment = { PARLEY_DATA_DIR: data, ...(command === 'upgrade-database' ? { DATABASE_URL: '' } : {}) }
        const outcome = await parley.run(command.split(' '), { environment })
        expect([command, outcome]).toEqual([command, { code: 1, stdout: '', stderr: refused }])
      }
    }
    expect(await readFile(file, 'utf8')).toBe('words')
  })

  it.each(['postgres', 'files'])('rejects a data directory in which %s is a file or a broken link', async (part) => {
    const parley = await commandLine()
    for (const [name, make, reason] of [
      ['a', async (path: string) => writeFile(path, 'words'), 'is a file'],
      ['b', async (path: string) => symlink(join(parley.directory, 'nowhere'), path), 'is a link that leads nowhere'],
    ] as const) {
      const data = join(parley.directory, name)
      await mkdir(data)
      await make(join(data, part))
      const outcome = await parley.run(['start'], { environment: { PARLEY_DATA_DIR: data } })
      const stderr = `parley: ${join(data, part)} ${reason}, but Parley needs a folder there. Move it elsewhere, or restore the folder.\n`
      expect(outcome).toEqual({ code: 1, stdout: '', stderr })
      expect(await readdir(data)).toEqual([part])
    }
  })

  it.runIf(CAN_MOUNT)('reports a data directory on a read-only disk', async () => {
    const parley = await program()
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
      expect([child.exitCode, told]).toEqual([1, `parley: Cannot create the data directory ${data}: ${reason}\n`])
    }
  })
})

describe('invalid settings', () => {
  it.each([
    [{ PORT: 'many' }, 'PORT: '],
    [{ PARLEY_RATE_LIMIT_USER: 'some' }, 'PARLEY_RATE_LIMIT_USER: must be written count/seconds'],
    [{ DATABASE_URL: 'mysql://localhost' }, 'DATABASE_URL: must be like postgres://'],
    [{ DATABASE_URL: 'postgres://parley:secret@host:port/parley' }, 'DATABASE_URL: must be like postgres://'],
    [{ DATABASE_URL: 'postgres://parley:secret@one:5432,two:port/parley' }, 'DATABASE_URL: must be like postgres://'],
    [{ DATABASE_URL: 'postgres:///parley?host=one,two&password=secret' }, 'DATABASE_URL: must be like postgres://'],
    [
      { DATABASE_URL: 'postgres://one,two/parley?target_session_attrs=any' },
      'DATABASE_URL: target_session_attrs must be read-write',
    ],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1,127.0.0.1:2/parley', PARLEY_DATABASE_WAIT_SECONDS: '0' },
      'Cannot use the PostgreSQL at DATABASE_URL: no server in DATABASE_URL accepts writes',
    ],
    [
      { DATABASE_URL: 'postgres://parley:secret@127.0.0.1:1/parley', PARLEY_DATABASE_WAIT_SECONDS: '0' },
      'Cannot use the PostgreSQL at DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [
      { PARLEY_OWNER_EMAIL: 'nobody', PARLEY_OWNER_PASSWORD: 'correct-horse-battery' },
      'Cannot create the organization: Enter a valid email address.',
    ],
    [{ PARLEY_OWNER_NAME: 'Ann' }, 'PARLEY_OWNER_PASSWORD: is required with'],
    [{ PARLEY_OWNER_EMAIL: 'ann@example.com' }, 'PARLEY_OWNER_PASSWORD: is required with'],
  ])('prints a one-line error for %j', async (environment: Record<string, string>, complaint) => {
    const { settings } = await commandLine()
    const { code, stdout, stderr } = await runHere(['start'], { ...settings, ...environment })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`parley: ${complaint}`)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('secret')
  })
})
