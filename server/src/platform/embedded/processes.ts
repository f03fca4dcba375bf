import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const SECONDS_PER_SIGNAL = 10
const POLL_INTERVAL_MILLISECONDS = 20

interface Process {
  readonly pid: number
  readonly uid: number
  readonly command: string
}

/** Returns a cluster's name, which stays the same if its directory is moved or mounted elsewhere. */
export function clusterNameFor(directory: string): string {
  const { dev, ino } = statSync(directory)
  return `parley-${dev}-${ino}`
}

/** Ends a cluster's processes, finally by SIGKILL. Finds them by command line, because PID files can be outdated. */
export async function endProcesses(clusterName: string, uid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const found = await findClusterProcesses(clusterName, uid)
    // Usually there are no processes. Each further search would take a few milliseconds.
    if (found.length === 0) return
    // SIGINT only cancels a backend's query. Orphaned backends, which block the next server, get SIGQUIT.
    const receivers = signal === 'SIGINT' ? found.filter((one) => !one.command.startsWith('postgres: ')) : found
    if (receivers.length === 0) continue
    for (const { pid } of receivers) killProcess(pid, signal)
    const deadline = performance.now() + SECONDS_PER_SIGNAL * 1000
    while ((await findClusterProcesses(clusterName, uid)).length > 0 && performance.now() < deadline) {
      await sleep(POLL_INTERVAL_MILLISECONDS)
    }
  }
  const [survivor] = await findClusterProcesses(clusterName, uid)
  if (survivor) throw new Error(`PostgreSQL process ${survivor.pid} does not exit`)
}

export async function findClusterProcesses(clusterName: string, uid: number): Promise<Process[]> {
  // Matches the postmaster as started by server.ts, and the process titles of its children.
  const ours = new RegExp(`^(\\S.*/postgres -c cluster_name=${clusterName} |postgres: ${clusterName}: )`)
  const all = process.platform === 'linux' ? processesFromProc(uid) : await processesFromPs()
  return all.filter((one) => one.uid === uid && ours.test(one.command))
}

/** Reads /proc/<pid>/cmdline, because cwd and exe would need CAP_SYS_PTRACE in containers. */
function processesFromProc(uid: number): Process[] {
  const processes: Process[] = []
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid)) continue
    try {
      if (statSync(`/proc/${pid}`).uid !== uid) continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
      processes.push({ pid, uid, command })
    } catch {
      // Skips a process that has ended.
    }
  }
  return processes
}

async function processesFromPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,uid=,command='])
  return stdout.split('\n').map((line) => {
    const [, pid, uid, command = ''] = /^\s*(\d+)\s+(-?\d+)\s+(\S.*)?$/.exec(line) ?? []
    return { pid: Number(pid), uid: Number(uid), command }
  })
}

function killProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}
