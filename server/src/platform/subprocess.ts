import { fork, type ChildProcess, type Serializable } from 'node:child_process'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'

/* Processes for untrusted data: harmful data ends only such a process. */

/** Idle time after which a process ends: it uses about 60 MB, and a new one takes 0.2 s to start. */
const IDLE_TIMEOUT_MILLISECONDS = 20_000
/** Nice value, which gives the process a lower priority than the server. */
const NICE_VALUE = 10

interface SubprocessOptions {
  /** Path of a JavaScript module below the server's folder. It sends `{ answer }` for each order. */
  readonly module: string
  /** Arguments, such as limits, that the process applies itself. */
  readonly limits: readonly number[]
  /** Time limit for an answer, including the time in which the process waits for the CPU. */
  readonly answerTimeoutSeconds: number
}

/** Sends an order to the process. Resolves to undefined if the process crashes instead of answering. */
export type AskSubprocess = <Answer>(order: Serializable, closing?: AbortSignal) => Promise<Answer | undefined>

export class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError'
}

/** Returns a function that starts a process for each order, or reuses an idle one. */
export function createSubprocess({ module, limits, answerTimeoutSeconds }: SubprocessOptions): AskSubprocess {
  let idle: { readonly worker: ChildProcess; readonly timer: NodeJS.Timeout } | undefined

  const take = (): ChildProcess => {
    if (idle === undefined) return startProcess(module, limits)
    const { worker, timer } = idle
    idle = undefined
    clearTimeout(timer)
    worker.removeAllListeners()
    return worker.connected ? worker : startProcess(module, limits)
  }

  const release = (worker: ChildProcess): void => {
    const timer = setTimeout(() => {
      idle = undefined
      worker.disconnect()
    }, IDLE_TIMEOUT_MILLISECONDS).unref()
    idle = { worker, timer }
  }

  return async <Answer>(order: Serializable, closing?: AbortSignal) => {
    closing?.throwIfAborted()
    const worker = take()
    const answer = await new Promise<Answer | undefined>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        closing?.removeEventListener('abort', onClose)
        worker.removeAllListeners()
        worker.on('error', () => undefined)
      }
      const end = (given: Answer | undefined): void => {
        stop()
        resolve(given)
      }
      const fail = (error: Error): void => {
        stop()
        worker.kill('SIGKILL')
        reject(error)
      }
      const onClose = (): void => fail(new Error('the server is closing'))
      const timer = setTimeout(() => fail(new LateAnswerError()), answerTimeoutSeconds * 1000)
      closing?.addEventListener('abort', onClose)
      // Safe: our own process answers with the result of the order.
      worker.on('message', ({ answer: given }: { answer: Answer | undefined }) => end(given))
      // A harmful file ends the process by a signal.
      worker.on('exit', (code) => (code === null ? end(undefined) : fail(new Error(`${module} exited with ${code}`))))
      // The process could not be started.
      worker.on('error', fail)
      worker.send(order)
    })
    if (worker.connected) release(worker)
    return answer
  }
}

function startProcess(module: string, limits: readonly number[]): ChildProcess {
  const worker = fork(createRequire(import.meta.url).resolve(module), limits.map(String), {
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
    if (worker.pid !== undefined) setPriority(worker.pid, NICE_VALUE)
  } catch {}
  return worker
}
