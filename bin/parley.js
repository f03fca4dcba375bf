#!/usr/bin/env node
/*
 * Makes the clone runnable if it is not yet, then becomes the command that was asked for: one process. CommonJS, since
 * Node takes as long to load modules and its own for them as the database needs to start.
 */
const { setFlagsFromString } = require('node:v8')
// What Node compiled of itself and kept counts for V8's own options only, and compiling it anew takes as long as all of
// our modules. The heap is made by now, so nothing looks at those of `npm start` again.
for (const option of ['min', 'max']) setFlagsFromString(`--${option}-semi-space-size=0`)
const { load } = require('../tools/load.cjs')
const { EMBEDDED, isReady, MAIN, refuseOldNode, ROOT } = require('../tools/ready.cjs')

/** A signal that comes later is taken as a second one, which ends the program at once: see server/src/main.ts. */
const PARENT_LOOK_MILLISECONDS = 200

/** By then a server has compiled what a start needs, also where it is slow. */
const STARTED_MILLISECONDS = 5_000

/** @returns {Promise<number | undefined>} when the compiled code is worth keeping */
async function main() {
  refuseOldNode()
  if (process.env.npm_command === 'exec') stopWithParent()
  if (!isReady(ROOT)) await (await import('../tools/prepare.js')).prepare()
  const [command, ...rest] = process.argv.slice(2)
  if (command !== 'start' || rest.length > 0) return undefined
  // The first start does much that no other does, and all that is kept has to be read by each.
  const isFirst = await require(`${ROOT}/${EMBEDDED}`).startAhead(process.env)
  return isFirst ? undefined : STARTED_MILLISECONDS
}

/** `npx` hands a signal on to the shell that it started this with, which ends without doing so: a server would stay behind. */
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
