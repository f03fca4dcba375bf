#!/usr/bin/env node
/*
 * Installs and builds the clone if needed, then runs the command in the same process. CommonJS, because loading Node's
 * ES module loader and our modules would take as long as the database needs to start.
 */
const { setFlagsFromString } = require('node:v8')
// Resets V8's options to their defaults: with other options, Node ignores its built-in code cache, and compiling Node's
// modules takes as long as compiling all of ours. The heap already exists, so the options of `npm start` have taken
// effect.
for (const option of ['min', 'max']) setFlagsFromString(`--${option}-semi-space-size=0`)
const { load } = require('../tools/load.cjs')
const { EMBEDDED, isReady, MAIN, refuseOldNode, ROOT } = require('../tools/ready.cjs')

/**
 * Interval of checks. With a longer interval, our SIGTERM would count as a second request to stop, which ends the
 * program immediately: see server/src/main.ts.
 */
const PARENT_LOOK_MILLISECONDS = 200

/** Time after which even a slow server has compiled everything that a start needs. */
const STARTED_MILLISECONDS = 5_000

/**
 * @returns {Promise<number | undefined>} time after which to store the compiled code; undefined if it is not worth
 * storing
 */
async function main() {
  refuseOldNode()
  if (process.env.npm_command === 'exec') stopWithParent()
  if (!isReady(ROOT)) await (await import('../tools/prepare.js')).prepare()
  const [command, ...rest] = process.argv.slice(2)
  if (command !== 'start' || rest.length > 0) return undefined
  // The compiled code of a first start is not stored, because it includes a lot of code that later starts do not need
  // but would have to read.
  const isFirst = await require(`${ROOT}/${EMBEDDED}`).startAhead(process.env)
  return isFirst ? undefined : STARTED_MILLISECONDS
}

/**
 * `npx` forwards a signal to the shell that started this process, and that shell ends without forwarding the signal: a
 * server would keep running.
 */
function stopWithParent() {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_LOOK_MILLISECONDS).unref()
}

main().then(
  (keepAfter) => load(`${ROOT}/${MAIN}`, keepAfter),
  (/** @type {unknown} */ error) => {
    console.error(`parley: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  },
)
