import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { freePort } from '../../server/src/testing/free-port.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAX_KEPT_OUTPUT_CHARACTERS = 4_000

export const OWNER = { email: 'owner@example.com', name: 'Olivia Owner', password: 'correct horse battery' }

/** The URL of a test server's database, for a server process. */
export function databaseUrl({ host, user, database }: pg.ClientConfig): string {
  return `postgres://${user ?? ''}@/${database ?? ''}?host=${encodeURIComponent(host ?? '')}`
}

/** A server as operators run it: the built program in a separate process, with its embedded database. */
export class ServerProcess {
  readonly url: string
  /** Unexpected exits, each with the last output of the process. */
  readonly accidents: string[] = []
  readonly dataDirectory: string
  readonly #environment: Record<string, string>
  readonly #largestFileBlocks: number | undefined
  #root: string
  #child: ChildProcess | undefined
  #ending = false

  private constructor(
    dataDirectory: string,
    port: number,
    environment: Readonly<Record<string, string>>,
    largestFileBlocks: number | undefined,
    root: string,
  ) {
    this.#root = root
    this.#largestFileBlocks = largestFileBlocks
    this.url = `http://127.0.0.1:${port}`
    this.dataDirectory = dataDirectory
    this.#environment = {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      PARLEY_DATA_DIR: dataDirectory,
      PARLEY_ORGANIZATION: 'Crash test',
      PARLEY_OWNER_NAME: OWNER.name,
      PARLEY_OWNER_EMAIL: OWNER.email,
      PARLEY_OWNER_PASSWORD: OWNER.password,
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_HEARTBEAT_SECONDS: '3',
      ...environment,
    }
  }

  /**
   * @param environment additional variables
   * @param largestFileBlocks maximum size of files that the process can write, in blocks, to simulate a full disk
   * @param root root of another build
   */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    largestFileBlocks?: number,
    root = ROOT,
  ): Promise<ServerProcess> {
    build(root)
    const folder = await mkdtemp(join(tmpdir(), 'parley-crash-'))
    const server = new ServerProcess(folder, await freePort(), environment, largestFileBlocks, root)
    server.#launch()
    return server
  }

  /** Kills the process with SIGKILL and restarts it. @param meanwhile runs before the restart */
  async killAndRestart(meanwhile: () => Promise<void> = async () => Promise.resolve()): Promise<void> {
    await this.#end('SIGKILL')
    try {
      await meanwhile()
    } finally {
      this.#launch()
    }
  }

  /**
   * Stops the process as Ctrl-C does and restarts it.
   * @param meanwhile can change the data before the restart
   * @param root root of another build to start
   */
  async restart(
    meanwhile: (dataDirectory: string) => Promise<void> = async () => Promise.resolve(),
    root = this.#root,
  ): Promise<void> {
    await this.#end('SIGTERM')
    await meanwhile(this.dataDirectory)
    this.#root = root
    this.#launch()
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal)
  }

  /** PIDs of the database, its postmaster's first; empty while it is not running. */
  databaseProcesses(): number[] {
    try {
      const file = readFileSync(join(this.dataDirectory, 'postgres/data/postmaster.pid'), 'utf8')
      const pid = Number(file.split('\n')[0])
      // Throws an error if the process is not running.
      process.kill(pid, 0)
      if (process.platform !== 'linux') return [pid]
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      return [pid, ...children.split(' ').filter(Boolean).map(Number)]
    } catch {
      return []
    }
  }

  /** Stops the process as Ctrl-C does and deletes its data. */
  async close(): Promise<void> {
    await this.#end('SIGTERM')
    const [left] = this.databaseProcesses()
    if (left !== undefined) {
      process.kill(left, 'SIGKILL')
      this.accidents.push('the database outlived the server that was stopped')
    }
    await rm(this.dataDirectory, { recursive: true, force: true, maxRetries: 10 })
  }

  #launch(): void {
    const command = [process.execPath, 'bin/parley.js', 'start']
    // With SIGXFSZ ignored, writes beyond the limit fail like on a full disk instead of killing the process.
    const limited = `trap '' XFSZ; ulimit -f ${this.#largestFileBlocks ?? 'unlimited'}; exec "$0" "$@"`
    const child = spawn('/bin/sh', ['-c', limited, ...command], {
      cwd: this.#root,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    const remember = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-MAX_KEPT_OUTPUT_CHARACTERS)
    }
    child.stdout.on('data', remember)
    child.stderr.on('data', remember)
    child.on('exit', (code, signal) => {
      if (this.#ending) return
      this.accidents.push(`the server exited (${signal ?? `exit code ${code}`}):\n${said}`)
    })
    this.#child = child
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    this.#ending = true
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    this.#ending = false
  }
}

const builtRoots = new Set<string>()

function build(root: string): void {
  if (builtRoots.has(root)) return
  execFileSync(process.execPath, ['bin/parley.js', '--version'], { cwd: root, stdio: 'ignore' })
  builtRoots.add(root)
}
