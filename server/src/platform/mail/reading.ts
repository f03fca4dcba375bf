import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** What the thread is told that reads an e-mail. */
export interface ReadingOrder {
  readonly bytes: Uint8Array
  /** Whether its HTML counts where it has plain text as well. */
  readonly prefersHtml: boolean
  readonly maxFiles: number
}

/** What an e-mail says. */
export interface ReadMail {
  /** Their names are in small letters. */
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly subject: string
  /** Who says that it was them: anybody can claim to be anybody. */
  readonly fromName: string
  readonly fromAddress: string
  /** In Markdown where it was HTML; empty where there is none. */
  readonly text: string
  readonly files: readonly MailFile[]
  /** How many more files it has. */
  readonly leftOut: number
}

export interface MailFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** How long an e-mail may take; the largest that people send take one. */
const READING_SECONDS = 5
/** The memory of the thread beside the bytes themselves. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

const WORKER = '#server/src/platform/mail/reading-worker.js'

/** The end of the e-mail that is read: one is at a time, so that the server goes on answering. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Reads an e-mail in a thread of its own, which is there only as long.
 * @returns undefined for what is no e-mail, or takes too long or too much memory
 */
export async function readMail(order: ReadingOrder): Promise<ReadMail | undefined> {
  const reading = last.then(async () => readInThread(order))
  last = reading.catch(() => undefined)
  return reading
}

async function readInThread(order: ReadingOrder): Promise<ReadMail | undefined> {
  const worker = new Worker(createRequire(import.meta.url).resolve(WORKER), {
    workerData: order,
    // It reads what strangers send, so it is told no secret.
    env: {},
    execArgv: [],
    resourceLimits: MEMORY,
  })
  const timer = setTimeout(() => void worker.terminate(), READING_SECONDS * 1000)
  try {
    return await new Promise<ReadMail | undefined>((resolve) => {
      // The thread is ours and answers what it was asked.
      worker.once('message', (answer: ReadMail) => resolve(answer))
      worker.once('error', () => resolve(undefined))
      worker.once('exit', () => resolve(undefined))
    })
  } finally {
    clearTimeout(timer)
  }
}
