/* Resource usage of processes, read from /proc (Linux only). */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports hundredths of a second, regardless of kernel settings. */
const TICKS_PER_SECOND = 100

/** PIDs of a process and its descendants. @param {number} root */
export function processTree(root) {
  const parents = new Map(
    listPids().map((pid) => [pid, Number(/^PPid:\s*(\d+)/m.exec(readProcessFile(`/proc/${pid}/status`))?.[1] ?? 0)]),
  )
  const found = [root]
  for (let index = 0; index < found.length; index += 1) {
    for (const [pid, parent] of parents) if (parent === found[index]) found.push(pid)
  }
  return found
}

/** Proportional set size (PSS) of a process. @param {number} pid */
export function memoryMib(pid) {
  return Number(/^Pss:\s*(\d+)/m.exec(readProcessFile(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
}

/** CPU seconds of a process, in user and kernel mode. @param {number} pid */
export function cpuSeconds(pid) {
  return cpuSecondsInFields(pid, 11)
}

/** CPU seconds of a process and its descendants, including ended children. @param {number} root */
export function treeCpuSeconds(root) {
  return processTree(root).reduce((sum, pid) => sum + cpuSecondsInFields(pid, 11) + cpuSecondsInFields(pid, 13), 0)
}

/** Sum of two adjacent fields of `/proc/PID/stat`. @param {number} pid @param {number} place index of the first */
function cpuSecondsInFields(pid, place) {
  // The command name, in parentheses, can contain spaces.
  const fields = readProcessFile(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[place] ?? 0) + Number(fields[place + 1] ?? 0)) / TICKS_PER_SECOND
}

/** @param {number} pid */
export function commandLineOf(pid) {
  return readProcessFile(`/proc/${pid}/cmdline`).split('\0').join(' ').trim().slice(0, 60)
}

function listPids() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** Reads a file of a process; empty if the process has ended. @param {string} path */
export function readProcessFile(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
