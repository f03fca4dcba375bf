import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import type { FormatEnum, ResizeOptions } from 'sharp'
import { ApiError } from '../../kernel/refusal.ts'

export type DecoderJob = MeasureJob | ResizeJob

export interface MeasureJob {
  readonly kind: 'measure'
  readonly path: string
}

export interface ResizeJob extends Required<Pick<ResizeOptions, 'width' | 'height' | 'fit' | 'withoutEnlargement'>> {
  readonly kind: 'make'
  readonly path: string
  readonly isMoving: boolean
  /** Whether to reject truncated images. */
  readonly isWhole: boolean
  readonly maxPixels: number
  readonly format: { readonly id: keyof FormatEnum; readonly options: Readonly<Record<string, number>> }
}

export interface DecoderResults {
  readonly measure: { readonly width: number; readonly height: number; readonly frames: number }
  readonly make: Buffer
}

export const DECODE_TIMEOUT_SECONDS = 5
/** Time limit for a decoder's answer, including the time in which it waits for the CPU. */
const ANSWER_TIMEOUT_SECONDS = 60
/** Idle time after which a process ends: it uses about 60 MB, and a new one takes 0.2 s to start. */
const WORKER_IDLE_TIMEOUT_MILLISECONDS = 20_000
/** Nice value, which gives the process a lower priority than the server. */
const WORKER_NICE_VALUE = 10

const WORKER_MODULE = '#server/src/platform/pictures/worker.js'

let idleWorker: { readonly worker: ChildProcess; readonly timer: NodeJS.Timeout } | undefined

/** Returns undefined if the file is not an image, or decoding crashes or times out. @throws ApiError RATE_LIMIT_HIT */
export async function decode<Kind extends DecoderJob['kind']>(
  order: Extract<DecoderJob, { kind: Kind }>,
): Promise<DecoderResults[Kind] | undefined> {
  const worker = takeWorker()
  const answer = await new Promise<DecoderResults[Kind] | undefined>((resolve, reject) => {
    const timer = setTimeout(() => {
      worker.kill('SIGKILL')
      reject(busyError())
    }, ANSWER_TIMEOUT_SECONDS * 1000)
    const end = (given: DecoderResults[Kind] | undefined): void => {
      clearTimeout(timer)
      worker.removeAllListeners()
      resolve(given)
    }
    // Safe: our own worker answers with the result of the request's kind.
    worker.on('message', ({ answer: given }: { answer: DecoderResults[Kind] | undefined }) => end(given))
    worker.on('exit', () => end(undefined))
    // The process could not be started.
    worker.on('error', reject)
    worker.send(order)
  })
  if (worker.connected) releaseWorker(worker)
  return answer
}

export function busyError(): ApiError {
  return new ApiError('RATE_LIMIT_HIT', 'Too many images are being uploaded. Try again later.', {
    'retry-after': DECODE_TIMEOUT_SECONDS,
  })
}

function takeWorker(): ChildProcess {
  if (idleWorker === undefined) return startWorker()
  const { worker, timer } = idleWorker
  idleWorker = undefined
  clearTimeout(timer)
  worker.removeAllListeners()
  return worker.connected ? worker : startWorker()
}

function releaseWorker(worker: ChildProcess): void {
  const timer = setTimeout(() => {
    idleWorker = undefined
    worker.disconnect()
  }, WORKER_IDLE_TIMEOUT_MILLISECONDS).unref()
  idleWorker = { worker, timer }
  worker.on('error', () => undefined)
}

function startWorker(): ChildProcess {
  const worker = fork(createRequire(import.meta.url).resolve(WORKER_MODULE), [String(DECODE_TIMEOUT_SECONDS)], {
    // Transfers buffers without conversion.
    serialization: 'advanced',
    // The process reads untrusted data, so it gets no secrets. Fewer malloc arenas return more memory to the system.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: ['--max-semi-space-size=1'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  worker.unref()
  worker.channel?.unref()
  try {
    if (worker.pid !== undefined) setPriority(worker.pid, WORKER_NICE_VALUE)
  } catch {}
  return worker
}
