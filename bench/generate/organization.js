/* Generates a data directory with an organization of any size. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectToDatabase, OWNER, ownerKey, withProduct } from '../parts/product.js'
import { seededRandom } from './random.js'
import { generateShape } from './shape.js'
import { FREQUENT_WORD, messageText, generateParagraph, personName, RARE_SENTENCE, RARE_WORD } from './words.js'
import { writeHistory, writePeople } from './write.js'

/** @import { Size } from './shape.js' @import { Landmarks } from './write.js' */

/** Number of texts without mentions, each rendered once and used for many messages. */
const PLAIN_TEXT_COUNT = 3_000
const MIN_MESSAGES_PER_TEXT = 5
const MENTIONED_PEOPLE = 100
const TEXTS_PER_MENTIONED_PERSON = 3
const RARE_WORD_MESSAGES = 30
/** One in this many plain texts contains FREQUENT_WORD. */
const FREQUENT_WORD_INTERVAL = 16
const TEXTS_RENDERED_AT_ONCE = 16
/** File in the data directory that lists generated accounts and IDs. */
export const LANDMARKS_FILE = 'organization.json'

/** @param {string} data new data directory @param {Size} size @returns {Promise<{ landmarks: Landmarks }>} */
export async function generateOrganization(data, size) {
  const random = seededRandom(size.seed)
  const now = Math.floor(Date.now() / 1000)
  const texts = {
    plain: Math.min(PLAIN_TEXT_COUNT, Math.ceil(size.messages / MIN_MESSAGES_PER_TEXT)),
    mentioned: Math.min(MENTIONED_PEOPLE, size.users),
    mentioning: TEXTS_PER_MENTIONED_PERSON,
    rare: RARE_WORD_MESSAGES,
  }
  const shape = generateShape(random, size, texts, now)

  const people = await withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, async (product) => {
    const api = createApi(product.url, OWNER.email, await ownerKey(product))
    // The product creates one person and a channel of each kind; all other people and channels are copies.
    const { user_id: person } = await api('POST', '/users', {
      email: 'sample@example.com',
      full_name: 'Sam Sample',
      password: OWNER.password,
    })
    for (const [name, isPrivate] of [
      ['sample', 'false'],
      ['private sample', 'true'],
    ]) {
      await api('POST', '/users/me/subscriptions', {
        subscriptions: JSON.stringify([{ name, description: 'What the **others** are like' }]),
        invite_only: isPrivate ?? 'false',
      })
    }
    const client = await connectToDatabase(data)
    try {
      return await writePeople(client, random, size, shape, Number(person), now)
    } finally {
      await client.end()
    }
  })

  const landmarks = await withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, async (product) => {
    const api = createApi(product.url, OWNER.email, await ownerKey(product))
    const plain = Array.from({ length: texts.plain }, (_, index) => {
      const text = messageText(random)
      return index % FREQUENT_WORD_INTERVAL === 0
        ? `${FREQUENT_WORD[0]?.toUpperCase()}${FREQUENT_WORD.slice(1)}: ${text}`
        : text
    })
    const mentioning = Array.from({ length: texts.mentioned * texts.mentioning }, (_, index) => {
      const user = Math.floor(index / texts.mentioning)
      return `@**${personName(user)}|${people.ids[user] ?? 0}** ${generateParagraph(random)}`
    })
    const sources = [
      ...plain,
      ...mentioning,
      `The ${RARE_WORD} has landed, ${RARE_SENTENCE}. ${generateParagraph(random)}`,
    ]
    const rendered = await renderTexts(api, sources)
    const client = await connectToDatabase(data)
    try {
      const written = sources.map((content, index) => ({
        content,
        rendered: rendered[index] ?? '',
        mentions:
          index < texts.plain || index >= texts.plain + mentioning.length
            ? null
            : (people.ids[Math.floor((index - texts.plain) / texts.mentioning)] ?? null),
      }))
      return await writeHistory(client, random, size, shape, people, written, now)
    } finally {
      await client.end()
    }
  })
  writeFileSync(join(data, LANDMARKS_FILE), JSON.stringify(landmarks))
  return { landmarks }
}

/** @typedef {(method: string, path: string, fields: Record<string, string>) => Promise<Record<string, unknown>>} Api */

/** @param {string} url @param {string} email @param {string} key @returns {Api} */
export function createApi(url, email, key) {
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` }
  return async (method, path, fields) => {
    const query = new URLSearchParams(fields)
    const answer = await fetch(`${url}/api/v1${path}${method === 'GET' ? `?${query.toString()}` : ''}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: query }),
    })
    // Safe: every API response is a JSON object.
    const body = /** @type {Record<string, unknown>} */ (await answer.json())
    if (body['result'] !== 'success') throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }
}

/** @param {Api} api @param {readonly string[]} sources */
async function renderTexts(api, sources) {
  /** @type {string[]} */
  const rendered = []
  let next = 0
  const render = async () => {
    for (let index = next++; index < sources.length; index = next++) {
      const { rendered: html } = await api('POST', '/messages/render', { content: sources[index] ?? '' })
      rendered[index] = String(html)
    }
  }
  await Promise.all(Array.from({ length: TEXTS_RENDERED_AT_ONCE }, render))
  return rendered
}
