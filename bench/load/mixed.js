/* Simulates concurrent users. Each sends one kind of request over a raw socket, one request at a time. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from '../parts/child.js'
import { listenForResponses } from './answers.js'

/**
 * @typedef {object} Options
 * @property {string} url @property {string} channel @property {readonly { kind: Kind, authorization: string }[]} people
 * @property {number} warmSeconds @property {number} seconds
 */

/** @typedef {'send' | 'edit' | 'react' | 'flag' | 'read'} Kind */

/**
 * @typedef {object} Load @property {number} perSecond @property {number} refused @property {number} median milliseconds
 * @property {number} tail 99th percentile in milliseconds
 */

/** Request about one message. @typedef {{ method: string, path: string, form: Record<string, string> }} Asked */

/** @type {Record<Kind, (messageId: number, turn: number, channel: string) => Asked>} */
const REQUEST_FACTORIES = {
  send: (_messageId, turn, channel) => ({
    method: 'POST',
    path: '/messages',
    form: {
      type: 'channel',
      to: channel,
      topic: `topic ${turn % 40}`,
      content: `Message **${turn}**, how are the beans?`,
    },
  }),
  edit: (messageId, turn) => ({
    method: 'PATCH',
    path: `/messages/${messageId}`,
    form: { content: `Said otherwise for the ${turn}th time, *as one does*` },
  }),
  react: (messageId, turn) => ({
    method: turn % 2 === 0 ? 'POST' : 'DELETE',
    path: `/messages/${messageId}/reactions`,
    form: { emoji_name: 'tada' },
  }),
  flag: (messageId, turn) => ({
    method: 'POST',
    path: '/messages/flags',
    form: { messages: `[${messageId}]`, op: turn % 2 === 0 ? 'add' : 'remove', flag: 'starred' },
  }),
  read: (_messageId, _turn, channel) => ({
    method: 'GET',
    path: `/messages?${new URLSearchParams({
      anchor: 'newest',
      num_before: '50',
      num_after: '0',
      narrow: JSON.stringify([{ operator: 'channel', operand: channel }]),
    }).toString()}`,
    form: {},
  }),
}

serveParent(measureLoads)

/** @param {Options} options @returns {Promise<{ loads: Record<string, Load>, core: number }>} */
async function measureLoads(options) {
  const over = new AbortController()
  /** @type {Map<Kind, Counted>} */
  const counted = new Map()
  for (const { kind } of options.people) counted.set(kind, counted.get(kind) ?? { answered: 0, refused: 0, times: [] })
  const ended = options.people.map(({ kind, authorization }) =>
    sendRequests(options, kind, authorization, counted.get(kind) ?? exitWithError('of no kind'), over.signal),
  )
  await sleep(options.warmSeconds * 1000)
  for (const each of counted.values()) Object.assign(each, { answered: 0, times: [] })
  const before = { cpu: process.cpuUsage(), at: performance.now() }
  await sleep(options.seconds * 1000)
  const seconds = (performance.now() - before.at) / 1000
  const cpu = process.cpuUsage(before.cpu)
  const loads = Object.fromEntries([...counted].map(([kind, each]) => [kind, summarizeLoad(each, seconds)]))
  over.abort()
  await Promise.all(ended)
  return { loads, core: (cpu.user + cpu.system) / 1e6 / seconds }
}

/** @typedef {{ answered: number, refused: number, times: number[] }} Counted `times` in milliseconds */

/** @param {Counted} counted @param {number} seconds @returns {Load} */
function summarizeLoad({ answered, refused, times }, seconds) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN
  return { perSecond: answered / seconds, refused, median: at(0.5), tail: at(0.99) }
}

/**
 * @param {Options} options @param {Kind} kind @param {string} authorization @param {Counted} counted
 * @param {AbortSignal} over @returns {Promise<void>}
 */
function sendRequests({ url, channel }, kind, authorization, counted, over) {
  const { hostname, port } = new URL(url)
  const bytesOf = (/** @type {Asked} */ { method, path, form }) => {
    const body = new URLSearchParams(form).toString()
    return (
      `${method} /api/v1${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: ${authorization}\r\n` +
      `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    )
  }
  return new Promise((resolve) => {
    let messageId = 0
    let turn = 0
    let since = 0
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const write = () => {
      since = performance.now()
      // Every user first sends a message; later requests refer to its ID.
      socket.write(
        bytesOf(
          messageId === 0 ? REQUEST_FACTORIES.send(0, 0, channel) : REQUEST_FACTORIES[kind](messageId, turn++, channel),
        ),
      )
    }
    socket.on('connect', write)
    socket.on('error', exitWithError)
    listenForResponses(socket, (status, body) => {
      if (messageId === 0) messageId = /** @type {{ id?: number }} */ (JSON.parse(body)).id ?? exitWithError(body)
      else {
        counted.answered += 1
        if (status >= 500) exitWithError(body)
        if (status !== 200) counted.refused += 1
        counted.times.push(performance.now() - since)
      }
      if (over.aborted) resolve(void socket.end())
      else write()
    })
  })
}

/** @param {unknown} error @returns {never} */
function exitWithError(error) {
  console.error(error)
  process.exit(1)
}
