#!/usr/bin/env node
/* Installs and builds the clone if needed, then runs the command. CommonJS, because ES modules load more slowly. */
const { setFlagsFromString } = require('node:v8')
// Resets V8's options, because with other options, Node ignores its built-in code cache, and compiling its modules
// takes as long as compiling all of ours. The options of `npm start` are already in effect, because the heap exists.
for (const option of ['min', 'max']) setFlagsFromString(`--${option}-semi-space-size=0`)
const { load } = require('../tools/load.cjs')
const { EMBEDDED, isReady, MAIN, refuseOldNode, ROOT } = require('../tools/ready.cjs')

/** With a longer interval, our SIGTERM would count as the second and end the program: see server/src/main.ts. */
const PARENT_POLL_MILLISECONDS = 200

/** Time after which even a slow server has compiled everything that a start needs. */
const STARTED_MILLISECONDS = 5_000

/** @returns {Promise<number | undefined>} delay before storing the compiled code; undefined not to store it */
async function main() {
  refuseOldNode()
  if (process.env.npm_command === 'exec') stopWithParent()
  if (!isReady(ROOT)) await (await import('../tools/prepare.js')).prepare()
  const [command, ...rest] = process.argv.slice(2)
  if (command !== 'start' || rest.length > 0) return undefined
  // A first start also compiles code that later starts would load but not need.
  const isFirst = await require(`${ROOT}/${EMBEDDED}`).startPostgresAhead(process.env)
  return isFirst ? undefined : STARTED_MILLISECONDS
}

/** `npx` forwards a signal to the shell that started this process, and the shell ends without forwarding it. */
function stopWithParent() {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_POLL_MILLISECONDS).unref()
}

main().then(
  (keepAfter) => load(`${ROOT}/${MAIN}`, keepAfter),
  (/** @type {unknown} */ error) => {
    console.error(`parley: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  },
)
