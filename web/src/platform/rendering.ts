/*
 * Renders messages in a worker, which is begun when it is first needed. One text after the other, so that a text that
 * is out of date by the time of its turn is not rendered at all.
 */
import type { Answer, FromRenderer, Question, RenderingSettings, ToRenderer } from '../kernel/rendering.ts'
import { startRenderingWorker } from './dom/html.ts'

/** A worker that takes longer is ended, as is one that fails, and another begun for the next text. */
const PATIENCE_MILLISECONDS = 10_000

export interface Known {
  /** The same object as long as the settings are the same. */
  readonly settings: () => RenderingSettings
  readonly answers: (questions: readonly Question[]) => Promise<readonly Answer[]>
}

export class Rendering {
  readonly #known: Known
  #worker: Worker | undefined
  #settings: RenderingSettings | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(known: Known) {
    this.#known = known
  }

  /** Begins the worker, so that the first text need not wait for it. */
  warm(): void {
    this.#worker ??= startRenderingWorker()
  }

  /** The HTML of a message; undefined where it cannot be rendered, or is no longer wanted when its turn comes. */
  async render(source: string, isWanted: () => boolean): Promise<string | undefined> {
    const rendered = this.#turn.then(async () => (isWanted() ? this.#renderNow(source) : undefined))
    this.#turn = rendered
    return rendered
  }

  async #renderNow(source: string): Promise<string | undefined> {
    this.warm()
    const worker = this.#worker
    if (worker === undefined) return undefined
    return new Promise((resolve) => {
      const over = new AbortController()
      const { signal } = over
      const end = (html: string | undefined): void => {
        clearTimeout(timer)
        over.abort()
        if (html === undefined) this.#stop()
        resolve(html)
      }
      const timer = setTimeout(end, PATIENCE_MILLISECONDS)
      const hear = ({ data }: MessageEvent<FromRenderer>): void => {
        if (data.kind === 'rendered') end(data.html)
        else if (data.kind === 'failed') end(undefined)
        else void this.#answer(worker, data.questions)
      }
      worker.addEventListener('error', () => end(undefined), { signal })
      worker.addEventListener('message', hear, { signal })
      const settings = this.#known.settings()
      if (settings !== this.#settings) tell(worker, { kind: 'settings', settings })
      this.#settings = settings
      tell(worker, { kind: 'render', source })
    })
  }

  async #answer(worker: Worker, questions: readonly Question[]): Promise<void> {
    const answers = await this.#known.answers(questions)
    // One that was ended meanwhile hears nothing.
    tell(worker, { kind: 'answers', answers })
  }

  /** Ends the worker. */
  end(): void {
    this.#stop()
  }

  #stop(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#settings = undefined
  }
}

function tell(worker: Worker, message: ToRenderer): void {
  worker.postMessage(message)
}
