import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSocketAlive } from './lock.ts'
import { endProcesses } from './processes.ts'
import { SOCKET_NAME, spawnServer, type Cluster, type PostgresProcess } from './server.ts'

const MIN_RESTART_DELAY_MILLISECONDS = 100
const MAX_RESTART_DELAY_MILLISECONDS = 10_000
const STABLE_AFTER_SECONDS = 60

export interface LaunchOptions {
  readonly home: string
  readonly uid: number
  readonly cluster: Cluster
  readonly log: (message: string, details?: object) => void
  readonly meanwhile: (() => void) | undefined
}

export async function launchServer(launch: LaunchOptions): Promise<PostgresProcess> {
  await clearPreviousRun(launch)
  return spawnUntilReady(launch)
}

async function clearPreviousRun({ home, uid, cluster }: LaunchOptions): Promise<void> {
  await endProcesses(cluster.name, uid)
  if (await isSocketAlive(home, SOCKET_NAME)) {
    throw new Error(`A PostgreSQL this process cannot see, such as another container's, is using ${cluster.directory}`)
  }
  // Removes files that a killed postmaster left: another program may have the PID in them by now.
  for (const left of [join(cluster.directory, 'postmaster.pid'), join(home, `${SOCKET_NAME}.lock`)])
    rmSync(left, { force: true })
}

async function spawnUntilReady({ uid, cluster, log, meanwhile }: LaunchOptions): Promise<PostgresProcess> {
  const launched = spawnServer(cluster, (line) => log(`postgres: ${line}`))
  meanwhile?.()
  try {
    await launched.ready()
  } catch (error) {
    await endProcesses(cluster.name, uid)
    throw error
  }
  return launched
}

export class Supervision {
  #server: PostgresProcess
  readonly #launch: LaunchOptions
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>

  constructor(server: PostgresProcess, launch: LaunchOptions) {
    this.#server = server
    this.#launch = launch
    this.#ended = this.#supervise()
  }

  get pid(): number {
    return this.#server.pid
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await endProcesses(this.#launch.cluster.name, this.#launch.uid)
    await this.#ended
  }

  async #supervise(): Promise<void> {
    const { log } = this.#launch
    const { signal } = this.#stopping
    let pause = MIN_RESTART_DELAY_MILLISECONDS
    for (;;) {
      const since = process.uptime()
      const reason = await this.#server.ended
      if (signal.aborted) return
      log('PostgreSQL ended unexpectedly: starting it again', { reason })
      if (process.uptime() - since > STABLE_AFTER_SECONDS) pause = MIN_RESTART_DELAY_MILLISECONDS
      await sleep(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(pause * 2, MAX_RESTART_DELAY_MILLISECONDS)
      await this.#restart().catch((error: unknown) => log('PostgreSQL did not start', { error }))
    }
  }

  async #restart(): Promise<void> {
    await clearPreviousRun(this.#launch)
    if (!this.#stopping.signal.aborted) this.#server = await spawnUntilReady(this.#launch)
  }
}
