/* The product as operators run it: a separate process with its embedded database. */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopWithProcess, removeFolder, stopChild, temporaryFolder } from './ending.js'
import { readProcessFile, processTree } from './processes.js'

const requireFromServer = createRequire(new URL('../../server/package.json', import.meta.url))

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Node options, as in `npm start`. */
const RUNTIME_OPTIONS = ['--v8-pool-size=0', '--min-semi-space-size=16', '--max-semi-space-size=32']

/** For profiling: `PARLEY_BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=profiles"`. */
const PROFILING_OPTIONS = (process.env['PARLEY_BENCH_NODE_OPTIONS'] ?? '').split(' ').filter((option) => option !== '')

export const OWNER = { email: 'owner@example.com', password: 'measured, not guessed' }

/**
 * @typedef {object} Product @property {string} url @property {number} pid of the server, or of npm
 * @property {string} data data directory
 * @property {() => number[]} processes PIDs of the server and the database
 * @property {(signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>} stop
 */

/**
 * @typedef {object} Options @property {string} data data directory
 * @property {Record<string, string>} [env] @property {readonly string[]} [nodeOptions] such as `--cpu-prof`
 * @property {boolean} [npm] whether to use `npm start`, whose process keeps running too
 */

/** @template T @param {(data: string) => Promise<T>} use */
export async function withData(use) {
  const data = temporaryFolder()
  try {
    return await use(data)
  } finally {
    removeFolder(data)
  }
}

/** @template T @param {Options} options @param {(product: Product) => Promise<T>} use */
export async function withProduct(options, use) {
  const product = await startProduct(options)
  try {
    return await use(product)
  } finally {
    await product.stop()
  }
}

/** Measures the time from the command to the first response. @param {Options} options */
export async function millisecondsToAnswer(options) {
  const since = performance.now()
  return withProduct(options, async ({ url }) => {
    const answer = await fetch(`${url}/api/v1/server_settings`)
    await answer.text()
    if (!answer.ok) throw new Error(`the first answer was ${answer.status}`)
    return performance.now() - since
  })
}

/** @param {Options} options @returns {Promise<Product>} resolves when the server listens */
export async function startProduct({ data, env = {}, nodeOptions = [], npm = false }) {
  const [command, args] = npm
    ? ['npm', ['start', '--silent']]
    : [process.execPath, [...RUNTIME_OPTIONS, ...PROFILING_OPTIONS, ...nodeOptions, 'bin/parley.js', 'start']]
  const server = spawn(command, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      PARLEY_DATA_DIR: data,
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_ORGANIZATION: 'Bench',
      PARLEY_OWNER_NAME: 'Olive Owner',
      PARLEY_OWNER_EMAIL: OWNER.email,
      PARLEY_OWNER_PASSWORD: OWNER.password,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stopWithProcess(server)
  const pid = server.pid ?? 0
  const url = await waitUntilListening(server)
  return {
    url,
    pid,
    data,
    processes: () => [...new Set([...processTree(pid), ...databasePids(data)])],
    stop: async (signal = 'SIGTERM') => stopChild(server, signal),
  }
}

/** @param {Product} product @returns {Promise<string>} */
export async function ownerKey({ url }) {
  const answer = await fetch(`${url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: OWNER.email, password: OWNER.password }),
  })
  const { api_key: key } = /** @type {{ api_key?: string }} */ (await answer.json())
  if (key === undefined) throw new Error('the owner cannot log in')
  return key
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} server
 * @returns {Promise<string>}
 */
function waitUntilListening(server) {
  return new Promise((resolve, reject) => {
    let printed = ''
    server.stdout.on('data', (chunk) => {
      printed += String(chunk)
      // If there is a root domain, the server prints it instead of the IP address.
      const [, port] = /http:\/\/[\w.]+:(\d+)/.exec(printed) ?? []
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    server.once('exit', () => reject(new Error(`the server ended:\n${printed}`)))
  })
}

/** The command that started the database server of a running product. @param {string} data data directory */
export function databaseCommand(data) {
  const cwd = join(data, 'postgres', 'data')
  const [postmaster] = databasePids(data)
  const { uid, gid } = statSync(cwd)
  const command = readProcessFile(`/proc/${String(postmaster)}/cmdline`)
    .split('\0')
    .slice(0, -1)
  return { command, cwd, uid, gid, socket: join(data, 'postgres', '.s.PGSQL.5432') }
}

/** PIDs of the database, which is not in the server's process group. @param {string} data */
function databasePids(data) {
  const postmaster = Number(readProcessFile(join(data, 'postgres', 'data', 'postmaster.pid')).split('\n')[0])
  return postmaster > 0 ? processTree(postmaster) : []
}

/** Connects to a database of a running product. @param {string} data @param {string} [database] */
export async function connectToDatabase(data, database = 'parley') {
  // Loaded after the dependencies are installed.
  const pg = /** @type {typeof import('pg')} */ (requireFromServer('pg'))
  const client = new pg.Client({ host: join(data, 'postgres'), port: 5432, user: 'parley', database })
  await client.connect()
  return client
}
