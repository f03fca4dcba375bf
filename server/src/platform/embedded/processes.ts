import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const SECONDS_PER_SIGNAL = 10
const POLL_MILLISECONDS = 20

interface Process {
  readonly pid: number
  readonly uid: number
  readonly command: string
}

/** Unlike its path, this identifies a cluster's directory when it was moved or is mounted at two places. */
export function nameOfCluster(directory: string): string {
  const { dev, ino } = statSync(directory)
  return `parley-${dev}-${ino}`
}

/**
 * Ends every process of one cluster, in order if it can: fast shutdown, then immediate shutdown, then by force.
 * Resolves when none is left. They are known by the cluster's name in their command line, not by the number in
 * postmaster.pid, which after a crash may be that of a stranger.
 */
export async function endProcesses(clusterName: string, uid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const found = await clusterProcesses(clusterName, uid)
    // Looking takes a few milliseconds, and most often there are no such processes.
    if (found.length === 0) return
    // To anyone but the postmaster SIGINT means "cancel your query". Backends without a postmaster have nothing left
    // to end in order, and the next server cannot start before they are gone.
    const receivers = signal === 'SIGINT' ? found.filter((one) => !one.command.startsWith('postgres: ')) : found
    if (receivers.length === 0) continue
    for (const { pid } of receivers) kill(pid, signal)
    const deadline = performance.now() + SECONDS_PER_SIGNAL * 1000
    while ((await clusterProcesses(clusterName, uid)).length > 0 && performance.now() < deadline) {
      await sleep(POLL_MILLISECONDS)
    }
  }
  const [survivor] = await clusterProcesses(clusterName, uid)
  if (survivor) throw new Error(`PostgreSQL process ${survivor.pid} does not end`)
}

export async function clusterProcesses(clusterName: string, uid: number): Promise<Process[]> {
  // The postmaster as server.ts starts it, and the title which PostgreSQL gives its other processes.
  const ours = new RegExp(`^(\\S.*/postgres -c cluster_name=${clusterName} |postgres: ${clusterName}: )`)
  const all = process.platform === 'linux' ? processesFromProc(uid) : await processesFromPs()
  return all.filter((one) => one.uid === uid && ours.test(one.command))
}

/** Reads /proc/<pid>/cmdline and not cwd or exe, which root may not read in a container without CAP_SYS_PTRACE. */
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
      // It ended while we looked.
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

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself.
  }
}
