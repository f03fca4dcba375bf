import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const BUCKET = 'parley-test'
const SECRET_KEY = 'an open secret/of+tests'

export interface S3ServerOptions {
  /** Size above which bodies are refused, as by a full bucket. */
  readonly mostBytes?: number
  /** Number of uploaded parts after which the process ends. */
  readonly partsOfLife?: number
  readonly mostListed?: number
}

/** Server that can stop and restart with its data at the same address. */
export class S3Server {
  readonly port: number
  readonly #directory: string
  #child: ChildProcess | undefined

  private constructor(port: number, directory: string) {
    this.port = port
    this.#directory = directory
  }

  static async start(options: S3ServerOptions = {}): Promise<S3Server> {
    const server = new S3Server(await freePort(), await mkdtemp(join(tmpdir(), 'parley-s3-')))
    await server.begin(options)
    return server
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`
  }

  address(prefix = 'chat', bucket = BUCKET): string {
    return `s3://${bucket}/${prefix}?endpoint=${this.endpoint}&region=eu-test-1`
  }

  environment(prefix?: string): Record<string, string> {
    return { PARLEY_FILES: this.address(prefix), ...this.login }
  }

  get login(): { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string } {
    return { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: SECRET_KEY }
  }

  async begin(options: S3ServerOptions = {}): Promise<void> {
    await this.#listen(await this.#prepare(options))
  }

  async restart(): Promise<void> {
    const next = await this.#prepare({})
    await this.kill()
    await this.#listen(next)
  }

  async #prepare(options: S3ServerOptions): Promise<ChildProcess> {
    const told = { port: this.port, directory: this.#directory, bucket: BUCKET, secret: SECRET_KEY, ...options }
    const child = fork(join(import.meta.dirname, 's3-storage.js'), [JSON.stringify(told)], {
      // The storage encrypts its continuation tokens with a legacy cipher.
      execArgv: ['--openssl-legacy-provider'],
    })
    await waitForOutput(child)
    return child
  }

  async #listen(child: ChildProcess): Promise<void> {
    this.#child = child
    const listening = waitForOutput(child)
    child.send('listen')
    await listening
  }

  async kill(): Promise<void> {
    await this.#end((child) => child.send('die', () => undefined))
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal)
  }

  async close(): Promise<void> {
    await this.#end((child) => child.kill('SIGKILL'))
    await rm(this.#directory, { recursive: true, force: true })
  }

  async #end(order: (child: ChildProcess) => void): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    order(child)
    await ended
  }
}

async function waitForOutput(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the storage ended with ${String(code)}`)
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
}
