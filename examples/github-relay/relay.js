import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, bots, call, isFinal, messages } from '@parley/client'
import { messageFor } from './words.js'

/** Delay between requests, unless GitHub specifies one. */
const USUAL_SECONDS = 60
/** Key in the bot's storage on the server. */
const LAST_POSTED = 'github-relay.last-event'

const { PARLEY_URL = '', PARLEY_EMAIL = '', PARLEY_API_KEY = '', REPOSITORY = '', CHANNEL = '' } = process.env
const { GITHUB_TOKEN, GITHUB_URL = 'https://api.github.com' } = process.env
const bot = { url: PARLEY_URL, email: PARLEY_EMAIL, apiKey: PARLEY_API_KEY }

/** ETag of the last posted response. GitHub repeats the response until it changes. */
let tag = ''

for (;;) {
  let seconds = USUAL_SECONDS
  try {
    const newest = await newestEvents()
    seconds = newest.pause
    await relay(newest.events)
    tag = newest.tag
  } catch (error) {
    // Only a person can correct a wrong key or channel. All other errors are retried.
    if (error instanceof ApiError && isFinal(error)) throw error
    console.error(error)
  }
  await wait(seconds * 1000)
}

/**
 * Requests the repository's newest events from GitHub.
 * @returns {Promise<{ events: import('./words.js').GitHubEvent[], tag: string, pause: number }>} events, newest first,
 * or none if nothing changed; the ETag; and the seconds until the next request
 */
async function newestEvents() {
  const response = await fetch(`${GITHUB_URL}/repos/${REPOSITORY}/events?per_page=100`, {
    headers: {
      accept: 'application/vnd.github+json',
      'user-agent': 'parley-github-relay',
      ...(tag === '' ? {} : { 'if-none-match': tag }),
      ...(GITHUB_TOKEN === undefined ? {} : { authorization: `Bearer ${GITHUB_TOKEN}` }),
    },
  })
  const asked = Number(response.headers.get('retry-after') ?? response.headers.get('x-poll-interval') ?? Number.NaN)
  const pause = Number.isFinite(asked) ? asked : USUAL_SECONDS
  if (response.status === 304) return { events: [], tag, pause }
  if (!response.ok) {
    console.error(`GitHub answers ${response.status}: ${await response.text()}`)
    return { events: [], tag, pause }
  }
  return { events: await response.json(), tag: response.headers.get('etag') ?? '', pause }
}

/** Posts new events, oldest first. @param {readonly import('./words.js').GitHubEvent[]} events newest first */
async function relay(events) {
  const [newest] = events
  if (newest === undefined) return
  const { storage } = await call(bot, bots.getStorage, {})
  const posted = storage[LAST_POSTED]
  if (posted === undefined) return remember(newest.id)
  // IDs increase, and can exceed the safe integers.
  const left = events.filter(({ id }) => BigInt(id) > BigInt(posted)).toReversed()
  for (const event of left) {
    const words = messageFor(event)
    // Prevents a duplicate if the program was stopped after sending and before storing the ID.
    const key = `github-${event.id}`
    if (words !== undefined)
      await call(bot, messages.sendMessage, { type: 'stream', to: CHANNEL, ...words, idempotency_key: key })
    await remember(event.id)
  }
}

/** @param {string} id */
async function remember(id) {
  await call(bot, bots.updateStorage, { storage: { [LAST_POSTED]: id } })
}
