import { setTimeout as sleep } from 'node:timers/promises'
import type { Patience } from './requests.ts'
import type { ServerProcess } from './server-process.ts'

/**
 * Who is killed: the server; the database's first process, which the server has to start again; any of its processes,
 * as when memory runs out, which makes the first start all others again.
 */
type Victim = 'server' | 'postmaster' | 'databaseProcess'
export type Kills = Readonly<Record<Victim, number>>

/** The server must send messages again within this, whatever was killed. */
const RECOVERY_MILLISECONDS = 30_000
/** More than can have been under way when something was killed. */
const MESSAGES_AFTER_RECOVERY = 20
/** Some servers are killed before they are up. */
const KILLED_WHILE_STARTING = 0.2

/**
 * Kills the server and its database at random moments, in random order.
 * @param sent how many messages have been acknowledged: by it we see that all works again
 */
export async function disturb(
  server: ServerProcess,
  kills: Kills,
  { random, over }: Patience,
  sent: () => number,
  onKill: (done: number) => void,
): Promise<void> {
  const works = async (): Promise<void> => {
    const enough = sent() + MESSAGES_AFTER_RECOVERY
    const deadline = performance.now() + RECOVERY_MILLISECONDS
    while (sent() < enough && !over.aborted) {
      if (performance.now() > deadline) {
        throw new Error(`hardly anything was sent for ${RECOVERY_MILLISECONDS} ms. ${server.accidents.join('\n')}`)
      }
      await sleep(10)
    }
  }
  const plan = random.shuffled(
    Object.entries(kills).flatMap(([victim, count]) => Array.from({ length: count }, () => victim)),
  )
  for (const [index, victim] of plan.entries()) {
    if (victim !== 'server' || !random.chance(KILLED_WHILE_STARTING)) await works()
    await sleep(random.between(0, 2_000))
    if (over.aborted) return
    if (victim === 'server') await server.killAndRestart()
    else await killDatabase(server, (pids) => (victim === 'postmaster' ? pids[0] : random.of(pids)))
    onKill(index + 1)
  }
  await works()
}

async function killDatabase(
  server: ServerProcess,
  choose: (pids: readonly number[]) => number | undefined,
): Promise<void> {
  for (;;) {
    const pid = choose(server.databaseProcesses())
    if (pid !== undefined && kill(pid)) return
    // It is just being started again.
    await sleep(10)
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
    return false
  }
}
