import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import type { FormatEnum, ResizeOptions } from 'sharp'

/** What is asked of the process that decodes pictures. */
export type Order = Measuring | Making

/** Reads a picture's headers. */
export interface Measuring {
  readonly kind: 'measure'
  readonly path: string
}

/** Decodes a picture and encodes it anew, smaller. */
export interface Making extends Required<Pick<ResizeOptions, 'width' | 'height' | 'fit' | 'withoutEnlargement'>> {
  readonly kind: 'make'
  readonly path: string
  /** All frames of a moving picture, and not only its first. */
  readonly isMoving: boolean
  /** A picture of which a part is missing is refused. */
  readonly isWhole: boolean
  readonly maxPixels: number
  readonly format: { readonly id: keyof FormatEnum; readonly options: Readonly<Record<string, number>> }
}

export interface Answers {
  readonly measure: { readonly width: number; readonly height: number; readonly frames: number }
  readonly make: Buffer
}

/** How long a picture may take; the process that is at it is ended then. */
export const PICTURE_SECONDS = 5
/** How long the process waits for another picture. It takes about 60 MB, and a fifth of a second to start. */
const IDLE_MILLISECONDS = 20_000
/** Lower than the server's, which goes on answering. */
const PRIORITY = 10

const WORKER = '#server/src/platform/pictures/worker.js'

let idle: { readonly worker: ChildProcess; readonly timer: NodeJS.Timeout } | undefined

/**
 * Has one picture decoded, in a process that is there only while there are pictures.
 * @returns undefined for what is no picture, breaks the decoder or takes too long
 */
export async function decode<Kind extends Order['kind']>(
  order: Extract<Order, { kind: Kind }>,
): Promise<Answers[Kind] | undefined> {
  const worker = takeWorker()
  const answer = await new Promise<Answers[Kind] | undefined>((resolve, reject) => {
    const timer = setTimeout(() => worker.kill('SIGKILL'), PICTURE_SECONDS * 1000)
    const end = (given: Answers[Kind] | undefined): void => {
      clearTimeout(timer)
      worker.removeAllListeners()
      resolve(given)
    }
    // The worker is ours and answers what it was asked.
    worker.on('message', ({ answer: given }: { answer: Answers[Kind] | undefined }) => end(given))
    worker.on('exit', () => end(undefined))
    // It could not be started.
    worker.on('error', reject)
    worker.send(order)
  })
  if (worker.connected) giveBack(worker)
  return answer
}

function takeWorker(): ChildProcess {
  if (idle === undefined) return startWorker()
  const { worker, timer } = idle
  idle = undefined
  clearTimeout(timer)
  worker.removeAllListeners()
  return worker.connected ? worker : startWorker()
}

/** Keeps a worker for the next picture, for a while. */
function giveBack(worker: ChildProcess): void {
  const timer = setTimeout(() => {
    idle = undefined
    worker.disconnect()
  }, IDLE_MILLISECONDS).unref()
  idle = { worker, timer }
  // An idle worker may fail, and an error event without a listener would end the server.
  worker.on('error', () => undefined)
}

function startWorker(): ChildProcess {
  const worker = fork(createRequire(import.meta.url).resolve(WORKER), {
    // Buffers as they are.
    serialization: 'advanced',
    // It reads what strangers send, so it is told no secret; and fewer arenas give back more memory.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: ['--max-semi-space-size=1'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  worker.unref()
  worker.channel?.unref()
  try {
    if (worker.pid !== undefined) setPriority(worker.pid, PRIORITY)
  } catch {
    // It has ended already.
  }
  return worker
}
