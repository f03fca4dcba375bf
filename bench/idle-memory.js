/*
 * What everything that `npm start` leaves running takes when it is idle: the proportional set size of every process
 * of the tree, the database included. Linux only, since it reads /proc.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const GOAL_MIB = 150
/** Long enough for what start-up needed once to be given back. */
const SETTLE_MILLISECONDS = 8_000
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Starts the product on a fresh data directory and measures it. */
export async function idleMemory() {
  const data = mkdtempSync(join(tmpdir(), 'parley-idle-'))
  const server = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', PARLEY_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await listening(server)
    await fetch(`${url}/api/v1/server_settings`)
    await sleep(SETTLE_MILLISECONDS)
    const processes = [...tree(server.pid ?? 0), ...databaseOf(data)]
    const rows = [...new Set(processes)].map((pid) => ({ pid, name: nameOf(pid), mib: proportionalMib(pid) }))
    return rows.filter((row) => row.mib > 0).toSorted((a, b) => b.mib - a.mib)
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(data, { recursive: true, force: true })
  }
}

/**
 * The first address that the server prints.
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} server
 * @returns {Promise<string>}
 */
function listening(server) {
  return new Promise((resolve, reject) => {
    let printed = ''
    server.stdout.on('data', (chunk) => {
      printed += String(chunk)
      const url = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0]
      if (url !== undefined) resolve(url)
    })
    server.once('exit', () => reject(new Error(`the server ended:\n${printed}`)))
  })
}

/**
 * A process and everything it started.
 * @param {number} root
 */
function tree(root) {
  const parents = new Map(
    pids().map((pid) => [pid, Number(/^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)]),
  )
  const found = [root]
  for (let index = 0; index < found.length; index += 1) {
    for (const [pid, parent] of parents) if (parent === found[index]) found.push(pid)
  }
  return found
}

/**
 * The database is a process group of its own; its processes are the children of whoever has its data open.
 * @param {string} data
 */
function databaseOf(data) {
  const postmaster = Number(read(join(data, 'postgres', 'data', 'postmaster.pid')).split('\n')[0])
  return postmaster > 0 ? tree(postmaster) : []
}

function pids() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** @param {number} pid */
function proportionalMib(pid) {
  return Number(/^Pss:\s*(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
}

/** @param {number} pid */
function nameOf(pid) {
  return read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim().slice(0, 60)
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await idleMemory()
  for (const row of rows) console.log(`${row.mib.toFixed(1).padStart(8)} MiB  ${row.name}`)
  const total = rows.reduce((sum, row) => sum + row.mib, 0)
  console.log(
    `idle-memory: ${total.toFixed(1)} MiB, goal at most ${GOAL_MIB}: ${total <= GOAL_MIB ? 'holds' : 'MISSED'}`,
  )
}
