/* Groups of servers on one database server. Each group has its own copy of the data, so groups can run at once. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installedProgram } from '../../tools/installed-program.js'
import { addPeople, basicAuthorization } from './crowd.js'
import { stopWithProcess, stopChild } from './ending.js'
import { treeCpuSeconds } from './processes.js'
import { connectToDatabase, databaseCommand, OWNER, ROOT, startProduct, withProduct } from './product.js'

/** @typedef {'postgresql' | 'nats'} Bus */
/** @typedef {{ host: string, people: readonly { name: string, authorization: string }[] }} Organization */
/**
 * @typedef {{ urls: readonly string[], pids: readonly number[], data: string, database: string, databasePid: number }}
 * Group of servers
 */
/**
 * @typedef {object} Spent @property {number} databaseSeconds CPU time of the database server
 * @property {number} serverSeconds CPU time of the group's servers
 * @property {number} activeSeconds duration of the group's statements, including waits
 * @property {number} commits
 */

const ROOT_DOMAIN = 'parley.localhost'
const ENVIRONMENT = { PARLEY_ROOT_DOMAIN: ROOT_DOMAIN }
/** Enough for all servers, each of which can open 10 connections. */
const CONNECTIONS = 200
const RETRY_MILLISECONDS = 20

/**
 * Creates organizations in addition to the first one, each with the same number of people and one channel.
 * @param {string} data empty data directory @param {readonly string[]} subdomains
 * @param {number} count people per organization @param {string} channel
 */
export async function makeOrganizations(data, subdomains, count, channel) {
  return withProduct({ data }, async (product) => {
    for (const subdomain of subdomains) {
      const owner = ['--owner-email', OWNER.email, '--owner-name', 'Olive Owner']
      execFileSync(
        process.execPath,
        ['bin/parley.js', 'organization', 'create', subdomain, '--name', subdomain, ...owner],
        {
          cwd: ROOT,
          env: { ...process.env, PARLEY_DATA_DIR: data },
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      )
    }
    const people = await addPeople(product, count, { [channel]: count })
    const logins = people.map(({ name, email, key }) => ({ name, authorization: basicAuthorization(email, key) }))
    const hosts = [ROOT_DOMAIN, ...subdomains.map((subdomain) => `${subdomain}.${ROOT_DOMAIN}`)]
    const organizations = hosts.map((host) => ({ host, people: logins }))
    return { organizations, command: databaseCommand(data) }
  })
}

/**
 * Starts groups of servers on copies of a database. `sizes` contains the number of servers in each group.
 * @template {string} Name @template T
 * @param {{ data: string, command: ReturnType<typeof databaseCommand>, sizes: Record<Name, number>, bus: Bus }} options
 * @param {(groups: Record<Name, Group>) => Promise<T>} use
 */
export async function withGroups({ data, command: { command, cwd, uid, gid }, sizes, bus }, use) {
  const [file = '', ...args] = command
  const nats = bus === 'nats' ? await startNats() : undefined
  const postgres = spawn(file, [...args, '-c', `max_connections=${CONNECTIONS}`], { cwd, uid, gid, stdio: 'ignore' })
  stopWithProcess(postgres, 'SIGINT')
  /** @type {import('./product.js').Product[]} */
  const nodes = []
  try {
    await waitForDatabase(data, postgres)
    const groups = /** @type {Record<Name, Group>} */ ({})
    for (const [database, size] of /** @type {[Name, number][]} */ (Object.entries(sizes))) {
      await copyDatabase(data, database)
      const address = `postgres://parley@/${database}?host=${encodeURIComponent(join(data, 'postgres'))}`
      const env = { ...ENVIRONMENT, DATABASE_URL: address, ...(nats === undefined ? {} : { BUS_URL: nats.url }) }
      const urls = []
      const pids = []
      for (let count = 0; count < size; count += 1) {
        const node = await startProduct({ data: join(data, database), env })
        nodes.push(node)
        urls.push(node.url)
        pids.push(node.pid)
      }
      groups[database] = { urls, pids, data, database, databasePid: postgres.pid ?? 0 }
    }
    return await use(groups)
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    if (nats !== undefined) await stopChild(nats.child, 'SIGINT')
    await stopChild(postgres, 'SIGINT')
  }
}

/** Resources used; other groups must be idle. @param {Group} group @param {Spent} [before] @returns {Promise<Spent>} */
export async function measureSpent({ pids, data, database, databasePid }, before) {
  const client = await connectToDatabase(data, database)
  try {
    const { rows } = await client.query(
      'select active_time / 1000 as active, xact_commit::float8 as commits from pg_stat_database where datname = current_database()',
    )
    return {
      databaseSeconds: treeCpuSeconds(databasePid) - (before?.databaseSeconds ?? 0),
      serverSeconds: pids.reduce((sum, pid) => sum + treeCpuSeconds(pid), 0) - (before?.serverSeconds ?? 0),
      activeSeconds: rows[0].active - (before?.activeSeconds ?? 0),
      commits: rows[0].commits - (before?.commits ?? 0),
    }
  } finally {
    await client.end()
  }
}

/** @param {string} data @param {string} name */
async function copyDatabase(data, name) {
  const client = await connectToDatabase(data, 'postgres')
  try {
    await client.query(`create database ${name} template parley`)
  } finally {
    await client.end()
  }
}

/** @param {string} data @param {import('node:child_process').ChildProcess} postgres */
async function waitForDatabase(data, postgres) {
  for (;;) {
    try {
      await (await connectToDatabase(data, 'postgres')).end()
      return
    } catch (error) {
      if (postgres.exitCode !== null) throw error
      await sleep(RETRY_MILLISECONDS)
    }
  }
}

async function startNats() {
  const program = installedProgram('nats-server')
  if (program === undefined) throw new Error('nats-server is not installed: apt-get install nats-server')
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  // Safe: a listening TCP server has an AddressInfo.
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
  await once(probe.close(), 'close')
  // Does not wait for NATS, because the servers connect to it later, when the database is ready.
  const child = stopWithProcess(spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }))
  return { child, url: `nats://127.0.0.1:${port}` }
}
