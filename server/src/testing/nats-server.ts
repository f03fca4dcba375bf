import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { freePort } from './free-port.ts'

/** `global-setup.ts` warns if the program is missing. */
export const hasNatsServer = inject('natsServer') !== undefined

const POLL_INTERVAL_MILLISECONDS = 20

/** Server that can stop and restart at the same address. */
export class NatsServer {
  readonly port: number
  readonly #more: readonly string[]
  #child: ChildProcess | undefined

  private constructor(port: number, more: readonly string[]) {
    this.port = port
    this.#more = more
  }

  /** @param more arguments, such as credentials */
  static async start(...more: string[]): Promise<NatsServer> {
    const server = await NatsServer.away(...more)
    await server.begin()
    return server
  }

  static async away(...more: string[]): Promise<NatsServer> {
    return new NatsServer(await freePort(), more)
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`
  }

  async begin(): Promise<void> {
    const program = inject('natsServer')
    if (program === undefined) throw new Error('nats-server is not installed')
    const child = spawn(program, ['-a', '127.0.0.1', '-p', String(this.port), ...this.#more], { stdio: 'ignore' })
    this.#child = child
    while (!(await this.#answers())) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`)
      await sleep(POLL_INTERVAL_MILLISECONDS)
    }
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async #answers(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1')
    try {
      // NATS sends a greeting to each client.
      return String((await once(socket, 'data'))[0]).startsWith('INFO')
    } catch {
      return false
    } finally {
      socket.destroy()
    }
  }
}
