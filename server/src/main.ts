import { on } from 'node:events'
import { relative } from 'node:path'
import type { Terminal } from './commands/command.ts'
import { runCommandLine } from './commands/dispatch.ts'
import { shellWord } from './commands/paste.ts'
import { chunksOf } from './platform/chunks.ts'
import { stopUnusedPostgres } from './platform/embedded/index.ts'

const FORCED_EXIT_CODE = 130

/** Signals within this time count as one, because `npm start` forwards a Ctrl-C that this process also receives. */
const SAME_SIGNAL_MILLISECONDS = 700

/** Maximum wait for a finished process to exit: a dead database connection can keep it running. */
const EXIT_TIMEOUT_MILLISECONDS = 500

const terminal: Terminal = {
  environment: process.env,
  program: `node ${shellWord(relativePath(process.argv[1] ?? ''))}`,
  isInteractive: process.stdout.isTTY,
  userId: process.geteuid?.(),
  isWatched: process.stderr.isTTY,
  watch: (text) => void process.stderr.write(`\r\x1b[K${text}`),
  print: (text) => void process.stdout.write(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
  async readInput() {
    const chunks: Buffer[] = []
    for await (const chunk of chunksOf(process.stdin)) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  },
  async readLine(signal) {
    const chunks: Buffer[] = []
    try {
      // Safe: a stream without an encoding yields buffers.
      const given: AsyncIterable<Buffer[]> = on(process.stdin, 'data', { signal, close: ['end'] })
      for await (const pieces of given) {
        chunks.push(...pieces)
        if (pieces.some((piece) => piece.includes('\n'))) break
      }
    } finally {
      process.stdin.destroy()
    }
    const [line = ''] = Buffer.concat(chunks).toString().split(/\r?\n/)
    return line
  },
  stopSignal: () => (stopSignal ??= listenForStop()),
}

function relativePath(path: string): string {
  const way = relative(process.cwd(), path)
  return way.startsWith('..') ? path : way
}

let stopSignal: AbortSignal | undefined

function listenForStop(): AbortSignal {
  const stopping = new AbortController()
  let since: number | undefined
  const stop = (): void => {
    since ??= performance.now()
    if (performance.now() - since > SAME_SIGNAL_MILLISECONDS) process.exit(FORCED_EXIT_CODE)
    stopping.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  return stopping.signal
}

// Ignores a closed pipe, as in `parley start | head`, which must not end the server.
process.stdout.on('error', () => undefined)
void runCommandLine(process.argv.slice(2), terminal).then(async (code) => {
  await stopUnusedPostgres()
  process.exitCode = code
  setTimeout(() => process.exit(), EXIT_TIMEOUT_MILLISECONDS).unref()
})
