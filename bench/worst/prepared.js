/* An organization filled to every limit, and the worst requests known for it. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureData, ensureOrganization } from '../parts/organizations.js'
import { withData, withProduct } from '../parts/product.js'
import { fillOrganizationToLimits } from './fill.js'
import { worstInputs } from './inputs.js'
import { createOwnerRequester } from './measure.js'
import { formRequest } from './requests.js'

/** @import { Size } from '../generate/shape.js' @import { Known } from './known.js' */
/** @typedef {import('./requests.js').Request & { endpoint: string }} Asked */
/** @typedef {{ data: string, known: Known }} Filled */

/** As many people as in the other figures, and as many messages as one request can find or change. @type {Size} */
const ORGANIZATION_SIZE = { users: 10_000, channels: 500, messages: 200_000, longTopic: 50_000, seed: 1 }
const KNOWN_FILE = 'known.json'

/** @type {Promise<Filled> | undefined} */
let filledPromise

/** @template T @param {(data: string, requests: Asked[], known: Known) => Promise<T>} use gets a copy of the data */
export async function withFilledOrganization(use) {
  filledPromise ??= ensureFilledOrganization()
  const { data: kept, known } = await filledPromise
  return withData(async (data) => {
    cpSync(kept, data, { recursive: true })
    return use(data, await withProduct({ data }, (product) => prepareRequests(product, known)), known)
  })
}

async function ensureFilledOrganization() {
  const { data: empty, landmarks } = await ensureOrganization(ORGANIZATION_SIZE)
  const topic = { channel: landmarks.channelId, ...(landmarks.longTopic ?? landmarks.shortTopic) }
  const data = await ensureData(
    `${Object.values(ORGANIZATION_SIZE).join('-')}-filled`,
    KNOWN_FILE,
    async (directory) => {
      cpSync(empty, directory, { recursive: true })
      const known = await withProduct({ data: directory }, async (product) => {
        const { ask, close } = await createOwnerRequester(product)
        return fillOrganizationToLimits(requireSuccess(ask), topic).finally(close)
      })
      writeFileSync(join(directory, KNOWN_FILE), JSON.stringify(known))
    },
  )
  return { data, known: JSON.parse(readFileSync(join(data, KNOWN_FILE), 'utf8')) }
}

/** @param {import('../parts/product.js').Product} product @param {Known} known @returns {Promise<Asked[]>} */
async function prepareRequests(product, known) {
  const { ask, close } = await createOwnerRequester(product)
  const sure = requireSuccess(ask)
  try {
    const openapi = /** @type {import('./declared.js').Document} */ (await sure(formRequest('', 'GET /openapi.json')))
    const { queue_id: queue } = await sure(formRequest('', 'POST /register', { fetch_event_types: [] }))
    return Object.entries(worstInputs({ ...known, queue: String(queue) }, openapi)).flatMap(([endpoint, some]) =>
      typeof some === 'string' ? [] : some.map((one) => ({ endpoint, ...one })),
    )
  } finally {
    close()
  }
}

/** Makes `ask` return the body, and throw if the request fails. @param {import('../parts/asking.js').Ask} ask */
export function requireSuccess(ask) {
  return async (/** @type {import('./requests.js').Request} */ asked) => {
    const reply = await ask(asked)
    if (reply.status !== 200)
      throw new Error(`${asked.method} ${asked.path}: ${JSON.stringify(reply.body()).slice(0, 500)}`)
    return reply.body()
  }
}
