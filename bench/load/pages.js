/* Clients that request pages over raw sockets, as fast as they can or at a fixed rate. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from '../parts/child.js'
import { listenForResponses } from './answers.js'

/**
 * @typedef {object} Options @property {string} url of the server @property {readonly string[]} paths requested in turn
 * @property {number} connections @property {number} seconds
 * @property {number} [perSecond] requests; as many as possible by default
 */

/** @typedef {{ perSecond: number, refused: number }} Read `perSecond`: pages that were not refused */

const WARM_UP_SECONDS = 2

let answered = 0
let refused = 0

serveParent(readPages)

/** @param {Options} options @returns {Promise<Read>} */
async function readPages({ url, paths, connections, seconds, perSecond }) {
  const { hostname, host, port } = new URL(url)
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`))
  let next = 0
  let isOver = false
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const write = () => void socket.write(requests[next++ % requests.length] ?? '')
    listenForResponses(socket, (status) => {
      if (status === 200) answered += 1
      else refused += 1
      if (perSecond === undefined && !isOver) write()
    })
    if (perSecond === undefined) write()
    return { socket, write }
  })
  const timer =
    perSecond === undefined ? undefined : setInterval(() => sockets[next % sockets.length]?.write(), 1_000 / perSecond)
  await sleep(WARM_UP_SECONDS * 1_000)
  const before = { answered, at: performance.now() }
  await sleep(seconds * 1_000)
  const read = {
    perSecond: ((answered - before.answered) / (performance.now() - before.at)) * 1_000,
    refused,
  }
  isOver = true
  clearInterval(timer)
  for (const { socket } of sockets) socket.destroy()
  return read
}
