import { setTimeout as sleep } from 'node:timers/promises'
import type { RetryContext } from './requests.ts'
import type { ServerProcess } from './server-process.ts'

/**
 * Processes to kill: the server; the postmaster, which the server must restart; or any database process, as the OOM
 * killer does, after which the postmaster restarts all other processes.
 */
type KillTarget = 'server' | 'postmaster' | 'databaseProcess'
export type KillCounts = Readonly<Record<KillTarget, number>>

/** Maximum time until the server sends messages again after a kill. */
const RECOVERY_TIMEOUT_MILLISECONDS = 30_000
/** More messages than can be in progress when a process is killed. */
const MESSAGES_AFTER_RECOVERY = 20
/** Share of kills that happen before the server is ready. */
const KILL_WHILE_STARTING_PROBABILITY = 0.2

/**
 * Kills the server and its database at random times, in random order.
 * @param sent returns the number of acknowledged messages, whose growth shows that the server has recovered
 */
export async function killAtRandomTimes(
  server: ServerProcess,
  kills: KillCounts,
  { random, over }: RetryContext,
  sent: () => number,
  onKill: (done: number) => void,
): Promise<void> {
  const waitForRecovery = async (): Promise<void> => {
    const enough = sent() + MESSAGES_AFTER_RECOVERY
    const deadline = performance.now() + RECOVERY_TIMEOUT_MILLISECONDS
    while (sent() < enough && !over.aborted) {
      if (performance.now() > deadline) {
        throw new Error(
          `hardly anything was sent for ${RECOVERY_TIMEOUT_MILLISECONDS} ms. ${server.accidents.join('\n')}`,
        )
      }
      await sleep(10)
    }
  }
  const plan = random.shuffled(
    Object.entries(kills).flatMap(([victim, count]) => Array.from({ length: count }, () => victim)),
  )
  for (const [index, victim] of plan.entries()) {
    if (victim !== 'server' || !random.chance(KILL_WHILE_STARTING_PROBABILITY)) await waitForRecovery()
    await sleep(random.between(0, 2_000))
    if (over.aborted) return
    if (victim === 'server') await server.killAndRestart()
    else await killDatabase(server, (pids) => (victim === 'postmaster' ? pids[0] : random.of(pids)))
    onKill(index + 1)
  }
  await waitForRecovery()
}

async function killDatabase(
  server: ServerProcess,
  choose: (pids: readonly number[]) => number | undefined,
): Promise<void> {
  for (;;) {
    const pid = choose(server.databaseProcesses())
    if (pid !== undefined && kill(pid)) return
    // The database is restarting.
    await sleep(10)
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited.
    return false
  }
}
