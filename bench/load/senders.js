/*
 * People who send one message after the other, each on a connection of its own: raw sockets, since a client library
 * would take more than the server it measures.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from '../parts/child.js'
import { onAnswers } from './answers.js'
import { messages } from './messages.js'

/**
 * @typedef {object} Options
 * @property {string} url
 * @property {readonly { name: string, authorization: string }[]} senders
 * @property {string} channel
 * @property {string} [reader] the authorization of a user whose event queue gets every message
 * @property {number} warmSeconds
 * @property {number} seconds
 */

/**
 * @typedef {object} Sending
 * @property {number} perSecond sends answered with success
 * @property {number} refused
 * @property {number} read messages that the reader was told of, of `sent`
 * @property {number} sent in all, with those sent while warming up
 * @property {number} core share of one that this process took
 * @property {readonly number[]} milliseconds the median and the 99th hundredth of an answer's time
 */

const TEXTS = 500
const TOPICS = 40
const READER_MILLISECONDS = 20_000
const POLL_MILLISECONDS = 20

/** Of the one measurement that a process makes. @type {Options} */
let options
let hostname = ''
let port = ''
/** @type {string[]} */
let texts = []
let sent = 0
let refused = 0
let stopped = false
/** @type {number[]} */
let times = []

serveParent(measure)

/**
 * @param {Options} given
 * @returns {Promise<Sending>}
 */
async function measure(given) {
  options = given
  ;({ hostname, port } = new URL(options.url))
  texts = messages(
    TEXTS,
    options.senders.map(({ name }) => name),
  )
  const reader = options.reader === undefined ? undefined : await startReading(options.reader)
  const senders = options.senders.map(({ authorization }, index) => send(authorization, index))
  await sleep(options.warmSeconds * 1000)
  const before = { sent, cpu: process.cpuUsage(), at: performance.now() }
  times = []
  await sleep(options.seconds * 1000)
  const seconds = (performance.now() - before.at) / 1000
  const cpu = process.cpuUsage(before.cpu)
  const perSecond = (sent - before.sent) / seconds
  const sorted = times.toSorted((a, b) => a - b)
  stopped = true
  await Promise.all(senders)
  const deadline = performance.now() + READER_MILLISECONDS
  const isToldAll = () => reader === undefined || reader.count >= sent
  while (!isToldAll() && performance.now() < deadline) await sleep(POLL_MILLISECONDS)
  return {
    perSecond,
    refused,
    read: reader?.count ?? 0,
    sent,
    core: (cpu.user + cpu.system) / 1e6 / seconds,
    milliseconds: [0.5, 0.99].map((share) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN),
  }
}

/**
 * Sends until the end, the next message when the last is answered.
 * @param {string} authorization
 * @param {number} index
 */
function send(authorization, index) {
  const requests = texts.map((content, number) => {
    const topic = `topic ${(number + index) % TOPICS}`
    const form = new URLSearchParams({ type: 'channel', to: options.channel, topic, content }).toString()
    return Buffer.from(
      `POST /api/v1/messages HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: ${authorization}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
    )
  })
  return new Promise((resolve) => {
    let next = index * 7
    let since = 0
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const write = () => {
      since = performance.now()
      socket.write(requests[next++ % requests.length] ?? '')
    }
    socket.on('connect', write)
    socket.on('error', fail)
    onAnswers(socket, (status) => {
      if (status === 200) sent += 1
      else refused += 1
      times.push(performance.now() - since)
      if (stopped) resolve(socket.end())
      else write()
    })
  })
}

/**
 * A client that is told of every message.
 * @param {string} authorization
 * @returns {Promise<{ count: number }>} the messages so far
 */
async function startReading(authorization) {
  const told = { count: 0 }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', fail)
  /** @type {((body: string) => void)[]} */
  const waiting = []
  onAnswers(socket, (status, body) => {
    if (status !== 200) fail(new Error(body))
    waiting.shift()?.(body)
  })
  /** @param {string} line @param {string} form @returns {Promise<string>} */
  const ask = (line, form) => {
    socket.write(
      `${line} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: ${authorization}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
    )
    return new Promise((resolve) => {
      waiting.push(resolve)
    })
  }
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

/** @param {unknown} error */
function fail(error) {
  if (stopped) return
  console.error(error)
  process.exit(1)
}
