/*
 * Loaded into the server's process: says how long its event loop was held since it was last asked, and how much memory it
 * had at most. It is asked over a socket of its own, since the process has no other way in.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** Between two looks. A hold is what lies between them, less this. */
const EACH_MILLISECONDS = 2
/** The fixed computation: with this many entries it takes about a tenth of a second on the machines of today. */
const ENTRIES = 95_000
/** More than this, less the garbage in it, is what the figure is about. */
const MUCH_BYTES = 60 * 1024 * 1024

/** Processor time of this thread, which is the event loop's, whatever else the machine does. */
function threadMilliseconds() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

let [lookedAt, ran] = [performance.now(), threadMilliseconds()]
let [longest, longestRun, most] = [0, 0, 0]
let began = takenBytes()

function look() {
  const [now, runs] = [performance.now(), threadMilliseconds()]
  longest = Math.max(longest, now - lookedAt - EACH_MILLISECONDS)
  longestRun = Math.max(longestRun, runs - ran)
  most = Math.max(most, needed())
  ;[lookedAt, ran] = [now, runs]
}

/** What is taken, without garbage where that makes it much: only a process whose garbage can be collected from here knows. */
function needed() {
  if (takenBytes() - began > MUCH_BYTES) collect()
  return takenBytes()
}

function collect() {
  globalThis.gc?.()
  // What finalizers let go of.
  globalThis.gc?.()
}

function takenBytes() {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** What takes the same time whatever the product does: objects made, written as JSON, read and sorted. */
function fixedMilliseconds() {
  const before = threadMilliseconds()
  const made = Array.from({ length: ENTRIES }, (_, index) => ({ id: index, name: `entry ${(index * 7919) % ENTRIES}` }))
  const read = /** @type {typeof made} */ (JSON.parse(JSON.stringify(made)))
  read.sort((a, b) => (a.name < b.name ? -1 : 1))
  return threadMilliseconds() - before
}

setInterval(look, EACH_MILLISECONDS).unref()
createServer((request, response) => {
  look()
  const answer =
    request.url === '/fixed' ? { fixed: fixedMilliseconds() } : { longest, longestRun, mib: most / 1024 / 1024 }
  collect()
  began = takenBytes()
  ;[lookedAt, ran] = [performance.now(), threadMilliseconds()]
  ;[longest, longestRun, most] = [0, 0, began]
  response.end(JSON.stringify({ ...answer, after: most / 1024 / 1024 }))
})
  .listen(process.env['PARLEY_BENCH_HOLDS'])
  .unref()
