import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

export interface ReadingOrder {
  readonly bytes: Uint8Array
  readonly prefersHtml: boolean
  readonly maxFiles: number
}

export interface ReadMail {
  /** Lowercase keys. */
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly subject: string
  /** Claimed name, which anyone can forge. */
  readonly fromName: string
  readonly fromAddress: string
  /** Markdown if converted from HTML; empty if missing. */
  readonly text: string
  readonly files: readonly MailFile[]
  readonly leftOut: number
}

export interface MailFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Several times the duration for the largest real emails. */
const READING_SECONDS = 5
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

const WORKER = '#server/src/platform/mail/reading-worker.js'

/** One at a time, so that the server stays responsive. */
let last: Promise<unknown> = Promise.resolve()

/** @returns undefined if the input is no email, or takes too long or too much memory */
export async function readMail(order: ReadingOrder): Promise<ReadMail | undefined> {
  const reading = last.then(async () => readInThread(order))
  last = reading.catch(() => undefined)
  return reading
}

async function readInThread(order: ReadingOrder): Promise<ReadMail | undefined> {
  const worker = new Worker(createRequire(import.meta.url).resolve(WORKER), {
    workerData: order,
    // The thread processes untrusted input, so it gets no secrets.
    env: {},
    execArgv: [],
    resourceLimits: MEMORY,
  })
  const timer = setTimeout(() => void worker.terminate(), READING_SECONDS * 1000)
  try {
    return await new Promise<ReadMail | undefined>((resolve) => {
      // Safe: our own thread sends this type.
      worker.once('message', (answer: ReadMail) => resolve(answer))
      worker.once('error', () => resolve(undefined))
      worker.once('exit', () => resolve(undefined))
    })
  } finally {
    clearTimeout(timer)
  }
}
