/* Sends requests one after another and measures how long each blocks the event loop. */
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRequester } from '../parts/asking.js'
import { basicAuthorization } from '../parts/crowd.js'
import { removeFolder, temporaryFolder } from '../parts/ending.js'
import { formRequest } from './requests.js'
import { OWNER, ownerKey, withProduct } from '../parts/product.js'

/** @import { Ask } from '../parts/asking.js' @import { Asked } from './prepared.js' */

/**
 * @typedef {object} Seen @property {string} endpoint @property {string} what @property {number} status
 * @property {number} bytes size of the response
 * @property {number} held longest block of the event loop, in milliseconds of the thread's CPU time
 * @property {number} wall the same in wall-clock time
 * @property {number} mib peak increase of the process's memory
 */

const MEASURING_OPTIONS = ['--import', new URL('../parts/holds.js', import.meta.url).href]
/** Time after a response during which further work, such as sending events, also counts. */
const FOLLOW_UP_MILLISECONDS = 30
const CALIBRATION_RUNS = 5

/** @param {import('../parts/product.js').Product} product */
export async function createOwnerRequester(product) {
  return createRequester(product.url, { authorization: basicAuthorization(OWNER.email, await ownerKey(product)) })
}

/**
 * Measures each request and, between some requests, the calibration task of parts/holds.js (`fixed`, in milliseconds).
 * @param {string} data @param {readonly Asked[]} requests @param {readonly string[]} [nodeOptions]
 */
export async function measureRequests(data, requests, nodeOptions = []) {
  const folder = temporaryFolder()
  const socketPath = join(folder, 'socket')
  const started = { data, env: { PARLEY_BENCH_HOLDS: socketPath }, nodeOptions: [...nodeOptions, ...MEASURING_OPTIONS] }
  /** @type {Seen[]} */
  const seen = []
  /** @type {number[]} */
  const fixed = []
  try {
    await withProduct(started, async (product) => {
      const { ask, close } = await createOwnerRequester(product)
      try {
        // Makes the server load the organization's shared state first.
        await ask(formRequest('', 'POST /register'))
        for (const [index, asked] of requests.entries()) {
          if (index % Math.ceil(requests.length / CALIBRATION_RUNS) === 0) {
            fixed.push((await readReport(socketPath, '/fixed'))['fixed'] ?? 0)
          }
          seen.push(await measureRequest(ask, asked, socketPath))
        }
      } finally {
        close()
      }
    })
  } finally {
    removeFolder(folder)
  }
  return { seen, fixed }
}

/** @param {Ask} ask @param {Asked} asked @param {string} socketPath @returns {Promise<Seen>} */
async function measureRequest(ask, asked, socketPath) {
  const { endpoint, what } = asked
  const before = await readReport(socketPath, '/')
  const { status, bytes } = await ask(asked)
  await sleep(FOLLOW_UP_MILLISECONDS)
  const after = await readReport(socketPath, '/')
  const mib = (after['mib'] ?? 0) - (before['after'] ?? 0)
  return { endpoint, what, status, bytes, held: after['longestRun'] ?? 0, wall: after['longest'] ?? 0, mib }
}

/** @param {string} socketPath @param {string} path @returns {Promise<Record<string, number>>} report of holds.js */
function readReport(socketPath, path) {
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve(JSON.parse(text)))
    })
      .on('error', reject)
      .end()
  })
}
