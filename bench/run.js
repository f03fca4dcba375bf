/* `npm run bench [-- send register --json]` runs all or some figures. Exits with 1 if a figure misses its goal. */
import { prepare } from '../tools/prepare.js'
import { formatResult, createResult } from './figure.js'
import { fanOut, streamFanOut } from './figures/fan-out.js'
import { fetchFigures } from './figures/fetch.js'
import { gzip } from './figures/gzip.js'
import { herd } from './figures/herd.js'
import { idleCpu } from './figures/idle-cpu.js'
import { idleMemory } from './figures/idle-memory.js'
import { latency, streamLatency } from './figures/latency.js'
import { mixedEditRate, mixedTailLatency } from './figures/mixed.js'
import { markAll } from './figures/mark-all.js'
import { neighbour } from './figures/neighbour.js'
import { nodesInTurn, nodesByHost, nodesInTurnOnNats, nodesByHostOnNats } from './figures/nodes.js'
import { organizations } from './figures/organizations.js'
import { publicPages } from './figures/public-pages.js'
import { recent } from './figures/recent.js'
import { pollMemory, pollPeak, streamMemory } from './figures/poll-memory.js'
import { register } from './figures/register.js'
import { registerUnread } from './figures/register-unread.js'
import { rename } from './figures/rename.js'
import { searchFind } from './figures/search-find.js'
import { searchSize, searchTimes } from './figures/search-time.js'
import { send, sendWide } from './figures/send.js'
import { start } from './figures/start.js'
import { webAnchor } from './figures/web-anchor.js'
import { webCold } from './figures/web-cold.js'
import { webHeap } from './figures/web-heap.js'
import { webHidden } from './figures/web-hidden.js'
import { webInp } from './figures/web-inp.js'
import { webJs } from './figures/web-js.js'
import { webKey } from './figures/web-key.js'
import { webLarge } from './figures/web-large.js'
import { webOpen } from './figures/web-open.js'
import { webScroll } from './figures/web-scroll.js'
import { webWarm } from './figures/web-warm.js'
import { worst } from './figures/worst.js'
import { cleanUpOnExit, waitUnlessStopping } from './parts/ending.js'

/** Figures in the order of execution. @type {readonly import('./figure.js').Figure[]} */
const FIGURES = [
  send,
  sendWide,
  nodesInTurn,
  nodesByHost,
  nodesInTurnOnNats,
  nodesByHostOnNats,
  latency,
  fanOut,
  pollMemory,
  pollPeak,
  streamLatency,
  streamFanOut,
  streamMemory,
  start,
  idleMemory,
  idleCpu,
  organizations,
  register,
  registerUnread,
  ...fetchFigures,
  searchFind,
  ...searchTimes,
  searchSize,
  gzip,
  publicPages,
  recent,
  markAll,
  mixedTailLatency,
  mixedEditRate,
  rename,
  herd,
  worst,
  neighbour,
  webJs,
  webWarm,
  webCold,
  webOpen,
  webKey,
  webInp,
  webLarge,
  webScroll,
  webAnchor,
  webHeap,
  webHidden,
]

const requestedIds = process.argv.slice(2).filter((argument) => argument !== '--json')
const unknownIds = requestedIds.filter((id) => FIGURES.every((figure) => figure.id !== id))
if (unknownIds.length > 0) {
  console.error(`Unknown figure ${unknownIds.join(', ')}. Figures: ${FIGURES.map((figure) => figure.id).join(', ')}.`)
  process.exit(1)
}

await prepare()
cleanUpOnExit()
/** @type {import('./figure.js').Result[]} */
const results = []
const failedIds = []
for (const figure of FIGURES) {
  if (requestedIds.length > 0 && !requestedIds.includes(figure.id)) continue
  const started = Date.now()
  try {
    const measurement = await figure.measure()
    const result = createResult(figure, measurement)
    results.push(result)
    console.log(`${formatResult(result)} (${Math.round((Date.now() - started) / 1000)} s)`)
    for (const note of measurement.notes ?? []) console.log(`    ${note}`)
    if (measurement.failures !== undefined && measurement.failures.length > 0) {
      failedIds.push(figure.id)
      for (const failure of measurement.failures) console.error(`✗ ${figure.id}: FAILED: ${failure}`)
    }
  } catch (error) {
    await waitUnlessStopping()
    failedIds.push(figure.id)
    console.error(`✗ ${figure.id}: FAILED:`, error)
  }
}
if (process.argv.includes('--json')) console.log(JSON.stringify(results))
if (failedIds.length > 0) console.error(`Failed: ${failedIds.join(', ')}`)
if (failedIds.length > 0 || results.some((result) => !result.holds)) process.exitCode = 1
