/* A server under load, backed up and restored. BACKUP_SEED repeats a run's random choices. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { Random } from '../../server/src/testing/random.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { logIn } from '../crash/log-in.ts'
import type { RetryContext } from '../crash/requests.ts'
import { sendMessagesUntil, type SentMessage } from '../crash/sender.ts'
import { ServerProcess } from '../crash/server-process.ts'

export const RANDOM_SEED = Number(process.env['BACKUP_SEED'] ?? Date.now() % 1_000_000)
export const TEST_TIMEOUT_MILLISECONDS = 300_000
const SENDER_COUNT = 3

export interface Scene {
  readonly server: ServerProcess
  readonly owner: TestUser
  readonly folder: string
  readonly random: Random
  readonly patience: RetryContext
  /** Messages acknowledged so far. */
  readonly sent: SentMessage[]
  /** Stops the load. */
  readonly silence: () => Promise<void>
}

/** Runs a server under load, with a database that writes checkpoints continuously. */
export async function runUnderLoad(work: (scene: Scene) => Promise<void>): Promise<void> {
  const random = new Random(RANDOM_SEED)
  const server = await ServerProcess.start()
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  const [over, silent] = [new AbortController(), new AbortController()]
  try {
    const patience = { random: random.fork(), over: over.signal }
    const owner = await logIn(server.url, patience)
    const place = { parameters: { type: 'direct', to: [owner.id] }, audience: new Set([owner.id]) }
    const sent: SentMessage[] = []
    const load = Promise.all([
      forceCheckpoints(server, silent.signal),
      ...Array.from({ length: SENDER_COUNT }, async (_, index) =>
        sendMessagesUntil(
          silent.signal,
          { name: `Sender ${index}`, user: owner, places: [place] },
          { random: random.fork(), over: over.signal },
          (message) => void sent.push(message),
        ),
      ),
    ])
    load.catch(() => undefined)
    const silence = async (): Promise<void> => {
      silent.abort()
      await load
    }
    await work({ server, owner, folder, random, patience, sent, silence })
    await silence()
  } finally {
    silent.abort()
    over.abort()
    await server.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  expect(server.accidents).toEqual([])
}

async function forceCheckpoints(server: ServerProcess, stopped: AbortSignal): Promise<void> {
  const client = new pg.Client({ host: join(server.dataDirectory, 'postgres'), user: 'parley', database: 'parley' })
  client.on('error', () => undefined)
  await client.connect()
  while (!stopped.aborted) {
    await client.query('checkpoint')
    await sleep(20)
  }
  await client.end()
}

interface RunningProcess {
  readonly child: ChildProcess
  readonly stderr: () => string
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

export function startParleyCommand(args: readonly string[], data: string, scratch: string): RunningProcess {
  const env = { PATH: process.env['PATH'] ?? '', PARLEY_DATA_DIR: data, TMPDIR: scratch, PORT: '0' }
  const child = spawn(process.execPath, ['bin/parley.js', ...args], { env })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }))
  return { child, stderr: () => stderr, ended }
}

/** Stops the server, replaces its data with a backup, and restarts it. */
export async function restoreBackup({ server, folder }: Scene, backup: string): Promise<void> {
  await server.restart(async (data) => {
    await rename(data, await mkdtemp(join(folder, 'broken-')))
    const { code, stderr } = await startParleyCommand(['restore', backup], data, folder).ended
    expect([code, stderr]).toEqual([0, expect.stringContaining('Restoring the rows')])
  })
}
