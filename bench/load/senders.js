/* Users who send one message after another over raw sockets: a client library would need too much CPU time. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from '../parts/child.js'
import { listenForResponses } from './answers.js'
import { createMessageTexts } from './messages.js'

/**
 * @typedef {object} Crowd users of an organization
 * @property {string} [host] of the organization
 * @property {readonly string[]} sendsTo servers that each sender sends to in turn
 * @property {readonly { name: string, authorization: string }[]} senders
 * @property {{ authorization: string, asks: readonly string[] }} [reader] a user whose event queue receives every
 * message, and the servers that it polls in turn
 */

/** @typedef {{ crowds: readonly Crowd[], channel: string, warmSeconds: number, seconds: number }} Options */

/**
 * @typedef {object} Sending @property {number} perSecond successful sends
 * @property {number} refused @property {number} read messages that the reader received, of `sent`
 * @property {number} sent total, including the warm-up
 * @property {number} core CPU share of this process
 * @property {readonly number[]} milliseconds median and 99th percentile of response times
 */

const TEXTS = 500
const TOPICS = 40
const READER_TIMEOUT_MILLISECONDS = 20_000
const POLL_INTERVAL_MILLISECONDS = 20

let sent = 0
let refused = 0
let stopped = false
/** @type {number[]} */
let times = []

serveParent(measureSending)

/** @param {Options} options @returns {Promise<Sending>} */
async function measureSending({ crowds, channel, warmSeconds, seconds: measured }) {
  const readers = await Promise.all(
    crowds.flatMap((crowd) => (crowd.reader === undefined ? [] : [startReading(crowd)])),
  )
  const senders = crowds.flatMap((crowd) => {
    const texts = createMessageTexts(
      TEXTS,
      crowd.senders.map(({ name }) => name),
    )
    return crowd.senders.map((_, index) => sendMessages(crowd, index, channel, texts))
  })
  await sleep(warmSeconds * 1000)
  const before = { sent, cpu: process.cpuUsage(), at: performance.now() }
  times = []
  await sleep(measured * 1000)
  const seconds = (performance.now() - before.at) / 1000
  const cpu = process.cpuUsage(before.cpu)
  const perSecond = (sent - before.sent) / seconds
  const sorted = times.toSorted((a, b) => a - b)
  stopped = true
  await Promise.all(senders)
  const deadline = performance.now() + READER_TIMEOUT_MILLISECONDS
  const read = () => readers.reduce((sum, { count }) => sum + count, 0)
  const isToldAll = () => readers.length === 0 || read() >= sent
  while (!isToldAll() && performance.now() < deadline) await sleep(POLL_INTERVAL_MILLISECONDS)
  return {
    perSecond,
    refused,
    read: read(),
    sent,
    core: (cpu.user + cpu.system) / 1e6 / seconds,
    milliseconds: [0.5, 0.99].map((share) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN),
  }
}

/** @param {Crowd} crowd @param {number} index of the sender @param {string} channel @param {readonly string[]} texts */
function sendMessages({ host, sendsTo, senders }, index, channel, texts) {
  const authorization = senders[index]?.authorization ?? ''
  const addresses = sendsTo.map((url) => new URL(url))
  const requests = texts.map((content, number) => {
    const topic = `topic ${(number + index) % TOPICS}`
    const form = new URLSearchParams({ type: 'channel', to: channel, topic, content }).toString()
    return Buffer.from(
      `POST /api/v1/messages HTTP/1.1\r\nhost: ${host ?? addresses[0]?.host ?? ''}\r\nauthorization: ${authorization}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
    )
  })
  return new Promise((resolve) => {
    let next = index * 7
    let turn = index
    let since = 0
    const write = () => {
      since = performance.now()
      sockets[turn++ % sockets.length]?.write(requests[next++ % requests.length] ?? '')
    }
    const sockets = addresses.map(({ hostname, port }) =>
      connect({ host: hostname, port: Number(port), noDelay: true }),
    )
    for (const socket of sockets) {
      socket.on('error', exitWithError)
      listenForResponses(socket, (status, body) => {
        if (status >= 500) exitWithError(new Error(body))
        if (status === 200) sent += 1
        else refused += 1
        times.push(performance.now() - since)
        if (!stopped) return write()
        for (const each of sockets) each.end()
        resolve(undefined)
      })
    }
    write()
  })
}

/** @param {Crowd} crowd @returns {Promise<{ count: number }>} the current number of messages */
async function startReading({ host, reader }) {
  const told = { count: 0 }
  const servers = (reader?.asks ?? []).map((url) =>
    createSendingConnection(new URL(url), host, reader?.authorization ?? ''),
  )
  let turn = 0
  /** @param {string} line @param {string} form */
  const ask = async (line, form) => servers[turn++ % servers.length]?.(line, form) ?? ''
  const registration = new URLSearchParams({ event_types: '["message"]', apply_markdown: 'true' })
  /** @type {{ queue_id: string }} */
  const { queue_id: queueId } = JSON.parse(await ask('POST /api/v1/register', registration.toString()))
  const listen = async () => {
    for (let last = -1; ;) {
      const body = await ask(`GET /api/v1/events?queue_id=${queueId}&last_event_id=${last}`, '')
      /** @type {{ events: { type: string, id: number }[] }} */
      const { events } = JSON.parse(body)
      told.count += events.filter(({ type }) => type === 'message').length
      last = events.at(-1)?.id ?? last
    }
  }
  void listen()
  return told
}

/**
 * @param {URL} url @param {string | undefined} host @param {string} authorization
 * @returns {(line: string, form: string) => Promise<string>}
 */
function createSendingConnection(url, host, authorization) {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  socket.on('error', exitWithError)
  /** @type {((body: string) => void)[]} */
  const waiting = []
  listenForResponses(socket, (status, body) => {
    if (status !== 200) exitWithError(new Error(body))
    waiting.shift()?.(body)
  })
  return (line, form) => {
    socket.write(
      `${line} HTTP/1.1\r\nhost: ${host ?? url.host}\r\nauthorization: ${authorization}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
    )
    return new Promise((resolve) => {
      waiting.push(resolve)
    })
  }
}

/** @param {unknown} error */
function exitWithError(error) {
  if (stopped) return
  console.error(error)
  process.exit(1)
}
