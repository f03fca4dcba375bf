import { createSubprocess, LateAnswerError } from '../subprocess.ts'
import { createFairQueue } from '../turns.ts'

export interface DocumentOrder {
  readonly path: string
  readonly maxCharacters: number
}

/** Larger files are not read. */
export const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024
/** Text after this limit, about 250 pages, is left out. */
export const MAX_DOCUMENT_CHARACTERS = 500_000
const READING_TIMEOUT_SECONDS = 20
const MAX_MEMORY_MEGABYTES = 400
const ANSWER_TIMEOUT_SECONDS = 300

const askReader = createSubprocess({
  module: '#server/src/platform/documents/worker.js',
  limits: [READING_TIMEOUT_SECONDS, MAX_MEMORY_MEGABYTES],
  answerTimeoutSeconds: ANSWER_TIMEOUT_SECONDS,
})

/** Each reader uses a core and a lot of memory. */
const MAX_CONCURRENT_READERS = 1
const MAX_WAITING_DOCUMENTS = 1_000

const readInTurn = createFairQueue(MAX_CONCURRENT_READERS, MAX_WAITING_DOCUMENTS, () => {
  throw new Error('too many documents are waiting to be read')
})

/**
 * Returns the text of a file with single spaces; empty if it has none or cannot be read within the limits. The content
 * decides what kind of document the file is.
 */
export async function readDocument(path: string, closing?: AbortSignal): Promise<string> {
  const order: DocumentOrder = { path, maxCharacters: MAX_DOCUMENT_CHARACTERS }
  return readInTurn(async () => {
    try {
      return (await askReader<string>({ ...order }, closing)) ?? ''
    } catch (error) {
      if (error instanceof LateAnswerError) return ''
      throw error
    }
  })
}
