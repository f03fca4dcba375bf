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

/** By then a server has compiled what a start needs, also where it is slow. */
const STARTED_MILLISECONDS = 5_000

/** @returns {Promise<number | undefined>} when the compiled code is worth keeping */
async function main() {
  refuseOldNode()
  if (!isReady(ROOT)) await (await import('../tools/prepare.js')).prepare()
  const [command, ...rest] = process.argv.slice(2)
  if (command !== 'start' || rest.length > 0) return undefined
  // The first start does much that no other does, and all that is kept has to be read by each.
  const isFirst = await require(`${ROOT}/${EMBEDDED}`).startAhead(process.env)
  return isFirst ? undefined : STARTED_MILLISECONDS
}

main().then(
  (keepAfter) => load(`${ROOT}/${MAIN}`, keepAfter),
  (/** @type {unknown} */ error) => {
    console.error(`parley: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  },
)
