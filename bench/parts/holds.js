/* Loaded into the server. Reports the longest block of the event loop, and the peak memory, on its own socket. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** Interval between checks. A block lasts for the time between two checks minus this interval. */
const CHECK_INTERVAL_MILLISECONDS = 2
/** Number of objects in the calibration task, which takes about a tenth of a second on current machines. */
const CALIBRATION_ENTRIES = 95_000
/** Increase of memory above which garbage is collected before measuring. */
const GARBAGE_COLLECTION_THRESHOLD_BYTES = 60 * 1024 * 1024

/** CPU time of the event loop's thread, independent of the machine's load. */
function threadMilliseconds() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

let [lookedAt, ran] = [performance.now(), threadMilliseconds()]
let [longest, longestRun, most] = [0, 0, 0]
let began = usedBytes()

function recordLongestBlock() {
  const [now, runs] = [performance.now(), threadMilliseconds()]
  longest = Math.max(longest, now - lookedAt - CHECK_INTERVAL_MILLISECONDS)
  longestRun = Math.max(longestRun, runs - ran)
  most = Math.max(most, liveBytes())
  ;[lookedAt, ran] = [now, runs]
}

function liveBytes() {
  if (usedBytes() - began > GARBAGE_COLLECTION_THRESHOLD_BYTES) collectGarbage()
  return usedBytes()
}

function collectGarbage() {
  globalThis.gc?.()
  // A second collection frees memory that finalizers released.
  globalThis.gc?.()
}

function usedBytes() {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** CPU time of a calibration task without Parley's code: creating, serializing, parsing, and sorting objects. */
function calibrationMilliseconds() {
  const before = threadMilliseconds()
  const made = Array.from({ length: CALIBRATION_ENTRIES }, (_, index) => ({
    id: index,
    name: `entry ${(index * 7919) % CALIBRATION_ENTRIES}`,
  }))
  const read = /** @type {typeof made} */ (JSON.parse(JSON.stringify(made)))
  read.sort((a, b) => (a.name < b.name ? -1 : 1))
  return threadMilliseconds() - before
}

setInterval(recordLongestBlock, CHECK_INTERVAL_MILLISECONDS).unref()
createServer((request, response) => {
  recordLongestBlock()
  const answer =
    request.url === '/fixed' ? { fixed: calibrationMilliseconds() } : { longest, longestRun, mib: most / 1024 / 1024 }
  collectGarbage()
  began = usedBytes()
  ;[lookedAt, ran] = [performance.now(), threadMilliseconds()]
  ;[longest, longestRun, most] = [0, 0, began]
  response.end(JSON.stringify({ ...answer, after: most / 1024 / 1024 }))
})
  .listen(process.env['PARLEY_BENCH_HOLDS'])
  .unref()
