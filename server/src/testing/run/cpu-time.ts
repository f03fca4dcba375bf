/* Reads /proc. Outside Linux, counts only the process itself, so budgets apply only on Linux. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The value is the same on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

interface ProcessTimes {
  readonly name: string
  readonly parent: number
  /** CPU time of the process itself, and of its ended children that it waited for. */
  readonly seconds: number
}

export const canMeasureProcessTrees = existsSync('/proc/self/stat')

export function cpuSecondsOfTree(root = process.pid): number {
  if (!canMeasureProcessTrees) return ownCpuSeconds()
  return sumOfTree(root, readProcesses())
}

/** Counts this process and its children with a certain name, such as `postgres`. */
export function cpuSecondsBeside(name: string): number {
  if (!canMeasureProcessTrees) return ownCpuSeconds()
  const processes = readProcesses()
  const children = [...processes].filter(([, times]) => times.parent === process.pid && times.name === name)
  return ownCpuSeconds() + children.reduce((sum, [pid]) => sum + sumOfTree(pid, processes), 0)
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function sumOfTree(root: number, processes: ReadonlyMap<number, ProcessTimes>): number {
  const children = new Map<number, number[]>()
  for (const [pid, { parent }] of processes) {
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [pid])
    else siblings.push(pid)
  }
  const sum = (pid: number): number =>
    (processes.get(pid)?.seconds ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0)
  return sum(root)
}

function readProcesses(): Map<number, ProcessTimes> {
  const times = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = readStat(name)
    if (stat !== undefined) times.set(Number(name), stat)
  }
  return times
}

function readStat(pid: string): ProcessTimes | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The command's name is in parentheses and can contain any character. Fields as in proc(5), counted from the third.
  const [start, end] = [text.indexOf('('), text.lastIndexOf(')')]
  const fields = text.slice(end + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { name: text.slice(start + 1, end), parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND }
}

let unaccountedSeconds = 0

/**
 * Counts processes that do not wait for their children, such as a browser, because the system would lose the children's
 * CPU time.
 */
export async function endCountingCpu(end: () => Promise<void>): Promise<void> {
  const before = cpuSecondsOfTree()
  await end()
  unaccountedSeconds += Math.max(0, before - cpuSecondsOfTree())
}

export function cpuSecondsSoFar(): number {
  return cpuSecondsOfTree() + unaccountedSeconds
}
