/* Senders and readers on raw sockets: this process must read 10,000 responses while the server is still writing. */
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { serveParent } from '../parts/child.js'

/** Connections opened at a time: fewer than the listen backlog. */
const CONNECTIONS_OPENED_AT_ONCE = 100
/** Number of senders, which take turns so that a message need not wait for the previous response. */
const SENDERS = 16
/** Silence after which a message counts as lost. */
const DELIVERY_TIMEOUT_MILLISECONDS = 30_000
const MESSAGE_MARK = 'message number '

/** @typedef {{ queueId: string, authorization: string }} Reader */

/**
 * @typedef {object} Connection @property {import('node:net').Socket} socket
 * @property {string} before the request up to the last event ID
 * @property {string} after @property {string} lastEventId @property {string} received part of an incomplete response
 */

/** @type {Connection[]} */
const readers = []
/** @type {import('node:net').Socket[]} */
let senders = []
/** @type {import('node:net').TcpNetConnectOpts | undefined} */
let address
let sendHead = ''
/** Send time by message number. @type {number[]} */
const sentAtMilliseconds = []
/** Whether readers poll again immediately; during a fan-out, they wait for all other readers instead. */
let repolls = true
/** @type {Connection[]} */
const waitingReaders = []
/** @type {(number: number) => void} */
let onDelivered = () => undefined
/** Number of answered polls, or of streamed messages. */
let answers = 0
/** An error that occurred between two requests of the parent process. @type {Error | undefined} */
let failure
/** @type {(error: Error) => void} */
let onFailure = (error) => (failure ??= error)

/** @param {{ url: string, readers: readonly Reader[], sender: string, streams?: boolean }} request */
async function openConnections({ url, readers: people, sender, streams = false }) {
  const { hostname, port, host } = new URL(url)
  const to = { host: hostname, port: Number(port), noDelay: true }
  sendHead = `POST /api/v1/messages HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${sender}\r\nContent-Type: application/x-www-form-urlencoded\r\n`
  for (let index = 0; index < people.length; index += CONNECTIONS_OPENED_AT_ONCE) {
    const some = people.slice(index, index + CONNECTIONS_OPENED_AT_ONCE)
    const connecting = some.map(async (person) => createConnection(await openSocket(to), host, person, streams))
    readers.push(...(await Promise.all(connecting)))
  }
  address = to
  for (const connection of readers) sendPoll(connection)
  return {}
}

/** Connects on first use, because the server closes connections that send no request for a minute. */
async function ensureSenders() {
  if (senders.length > 0) return
  const to = address
  if (to === undefined) throw new Error('nothing is open')
  senders = await Promise.all(Array.from({ length: SENDERS }, () => openSocket(to)))
  for (const socket of senders) socket.on('data', (answer) => requireSent(String(answer)))
}

/** @param {import('node:net').TcpNetConnectOpts} to @returns {Promise<import('node:net').Socket>} */
function openSocket(to) {
  return new Promise((resolve, reject) => {
    const socket = connect(to, () => {
      socket.off('error', reject)
      socket.on('error', (error) => onFailure(error))
      socket.on('close', () => onFailure(new Error('the server closed a connection')))
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/** @param {import('node:net').Socket} socket @param {string} host @param {Reader} person @param {boolean} streams */
function createConnection(socket, host, { queueId, authorization }, streams) {
  const connection = {
    socket,
    before: `GET /api/v1/events?queue_id=${queueId}&last_event_id=`,
    after: ` HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nUser-Agent: ParleyBench/1.0\r\nAccept: ${streams ? 'text/event-stream' : 'application/json'}\r\n\r\n`,
    lastEventId: '-1',
    received: '',
  }
  socket.setEncoding('latin1')
  const taking = streams ? handleStreamData : handlePollData
  socket.on('data', (text) => taking(connection, String(text)))
  return connection
}

/** @param {Connection} connection */
function sendPoll({ socket, before, after, lastEventId }) {
  socket.write(before + lastEventId + after, 'latin1')
}

/** @param {Connection} connection @param {string} text */
function handlePollData(connection, text) {
  const answer = connection.received + text
  connection.received = answer
  const bodyAt = answer.indexOf('\r\n\r\n') + 4
  if (bodyAt < 4) return
  const lengthAt = answer.indexOf('content-length: ')
  if (answer.length < bodyAt + Number.parseInt(answer.slice(lengthAt + 16, lengthAt + 24), 10)) return
  connection.received = ''
  if (!answer.startsWith('HTTP/1.1 200')) {
    onFailure(new Error(`a poll was answered ${answer}`))
    return
  }
  answers += 1
  // The last ID in the response is the event's; the message's ID precedes it.
  const idAt = answer.lastIndexOf('"id":')
  if (idAt !== -1) connection.lastEventId = String(Number.parseInt(answer.slice(idAt + 5, idAt + 25), 10))
  const isHeartbeat = recordDelivery(answer, bodyAt) === 0
  if (repolls || isHeartbeat) sendPoll(connection)
  else waitingReaders.push(connection)
}

/** @param {Connection} connection @param {string} text */
function handleStreamData(connection, text) {
  const received = connection.received + text
  // An empty line ends an event. Chunk lengths appear between events.
  const end = received.lastIndexOf('\n\n')
  connection.received = end === -1 ? received : received.slice(end)
  if (end === -1) return
  if (received.startsWith('HTTP/') && !received.startsWith('HTTP/1.1 200')) {
    onFailure(new Error(`a stream was answered ${received}`))
    return
  }
  answers += recordDelivery(received.slice(0, end), 0)
}

/** @param {string} text complete events @param {number} from start index @returns the number of messages */
function recordDelivery(text, from) {
  let count = 0
  for (
    let mark = text.indexOf(MESSAGE_MARK, from);
    mark !== -1;
    mark = text.indexOf(MESSAGE_MARK, mark + MESSAGE_MARK.length)
  ) {
    onDelivered(Number.parseInt(text.slice(mark + MESSAGE_MARK.length, mark + MESSAGE_MARK.length + 10), 10))
    count += 1
  }
  return count
}

/** @param {string} answer */
function requireSent(answer) {
  if (!answer.startsWith('HTTP/1.1 200')) onFailure(new Error(`a send was answered ${answer}`))
}

/** @param {string} form all fields except the content */
function sendMessage(form) {
  const number = sentAtMilliseconds.length
  const body = `${form}&content=${encodeURIComponent(`${MESSAGE_MARK}${number}`)}`
  sentAtMilliseconds.push(performance.now())
  senders[number % senders.length]?.write(`${sendHead}Content-Length: ${body.length}\r\n\r\n${body}`, 'latin1')
  return number
}

/** Sends at a constant rate. @param {{ form: string, perSecond: number, warmUp: number, count: number }} request */
async function sendAtRate({ form, perSecond, warmUp, count }) {
  await ensureSenders()
  const first = sentAtMilliseconds.length + warmUp
  const last = first + count
  const expected = (warmUp + count) * readers.length
  /** @type {number[]} */
  const latencies = []
  let arrived = 0
  let startedAt = 0
  const answeredBefore = answers
  let cpu = process.cpuUsage()
  await waitUntilDone((done) => {
    onDelivered = (number) => {
      arrived += 1
      if (number >= first) latencies.push(performance.now() - (sentAtMilliseconds[number] ?? 0))
      if (arrived === expected) done()
    }
    const begin = performance.now()
    let sent = 0
    const tick = setInterval(() => {
      // Catches up, because timers fire late.
      while (sent < warmUp + count && performance.now() - begin >= (sent * 1000) / perSecond) {
        if (sent === warmUp) [startedAt, cpu] = [performance.now(), process.cpuUsage()]
        sendMessage(form)
        sent += 1
      }
      if (sentAtMilliseconds.length === last) clearInterval(tick)
    }, 1)
  })
  const share = cpuCoreShare(cpu, startedAt)
  latencies.sort((a, b) => a - b)
  const at = (/** @type {number} */ part) => latencies[Math.floor(part * latencies.length)] ?? Number.NaN
  return {
    median: at(0.5),
    p99: at(0.99),
    most: latencies.at(-1) ?? Number.NaN,
    share,
    answers: answers - answeredBefore,
  }
}

/** Sends one message, after which readers rest until all have received it. @param {{ form: string }} request */
async function measureFanOut({ form }) {
  await ensureSenders()
  repolls = false
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let finishedAt = startedAt
  await waitUntilDone((done) => {
    let arrived = 0
    const number = sendMessage(form)
    onDelivered = (got) => {
      if (got === number) arrived += 1
      if (arrived < readers.length) return
      finishedAt = performance.now()
      done()
    }
  })
  const share = cpuCoreShare(cpu, startedAt)
  repolls = true
  for (const connection of waitingReaders.splice(0)) sendPoll(connection)
  return { milliseconds: finishedAt - startedAt, share }
}

/** @param {(done: () => void) => void} start @returns {Promise<void>} */
async function waitUntilDone(start) {
  /** @type {NodeJS.Timeout | undefined} */
  let late
  await new Promise((resolve, reject) => {
    if (failure !== undefined) throw failure
    onFailure = (error) => reject((failure ??= error))
    late = setTimeout(() => reject(new Error('not every message arrived')), DELIVERY_TIMEOUT_MILLISECONDS)
    start(() => resolve(undefined))
  }).finally(() => clearTimeout(late))
}

/** @param {NodeJS.CpuUsage} since @param {number} startedAt */
function cpuCoreShare(since, startedAt) {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000 / (performance.now() - startedAt)
}

serveParent(async (/** @type {any} */ request) => {
  if (request.do === 'open') return openConnections(request)
  return request.do === 'flow' ? sendAtRate(request) : measureFanOut(request)
})
