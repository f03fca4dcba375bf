import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { MailRejectedError } from './incoming.ts'

export interface MailReadRequest {
  readonly bytes: Uint8Array
  readonly prefersHtml: boolean
  readonly maxFiles: number
}

export interface ParsedMail {
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly subject: string
  /** Name that the sender claims, which anyone can forge. */
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

/** Time limit for reading an email, several times as long as the largest real emails take. */
const READING_TIMEOUT_SECONDS = 5
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

const WORKER_MODULE = '#server/src/platform/mail/reading-worker.js'

/** Emails are read one at a time, so that the server stays responsive. */
let lastReading: Promise<unknown> = Promise.resolve()

/**
 * Reads an email in its own thread. @throws MailRejectedError permanently if it is not an email or takes too much
 * memory; temporarily if it takes too long, because any email is slow on a busy machine
 */
export async function readMail(order: MailReadRequest, seconds = READING_TIMEOUT_SECONDS): Promise<ParsedMail> {
  const reading = lastReading.then(async () => readInThread(order, seconds))
  lastReading = reading.catch(() => undefined)
  return reading
}

async function readInThread(order: MailReadRequest, seconds: number): Promise<ParsedMail> {
  const worker = new Worker(createRequire(import.meta.url).resolve(WORKER_MODULE), {
    workerData: order,
    // The thread processes untrusted input, so it gets no secrets.
    env: {},
    execArgv: [],
    resourceLimits: MEMORY_LIMITS,
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void worker.terminate()
  }, seconds * 1000)
  try {
    return await new Promise<ParsedMail>((resolve, reject) => {
      const fail = (): void =>
        reject(
          isLate
            ? new MailRejectedError(451, 'Try again later')
            : new MailRejectedError(554, 'This email cannot be read'),
        )
      // Safe: our own thread sends this type.
      worker.once('message', (answer: ParsedMail) => resolve(answer))
      worker.once('error', fail)
      worker.once('exit', fail)
    })
  } finally {
    clearTimeout(timer)
  }
}
