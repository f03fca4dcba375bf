/* Renders messages in a worker, one at a time, so that outdated text can be skipped. */
import type { Answer, FromRenderer, NameLookup, RenderingSettings, ToRenderer } from '../kernel/rendering.ts'
import { startWorker } from './dom/html.ts'

/** A worker that is slower than this, or fails, is replaced for the next text. */
const RENDERING_TIMEOUT_MILLISECONDS = 10_000

export interface RenderingContext {
  /** Must return the same object until the settings change. */
  readonly settings: () => RenderingSettings
  readonly answers: (questions: readonly NameLookup[]) => Promise<readonly Answer[]>
}

export class Renderer {
  readonly #known: RenderingContext
  #worker: Worker | undefined
  #settings: RenderingSettings | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(known: RenderingContext) {
    this.#known = known
  }

  warm(): void {
    this.#worker ??= startWorker('rendering')
  }

  /** Undefined if the message cannot be rendered or is no longer needed. */
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
      const timer = setTimeout(end, RENDERING_TIMEOUT_MILLISECONDS)
      const onMessage = ({ data }: MessageEvent<FromRenderer>): void => {
        if (data.kind === 'rendered') end(data.html)
        else if (data.kind === 'failed') end(undefined)
        else void this.#answer(worker, data.questions)
      }
      worker.addEventListener('error', () => end(undefined), { signal })
      worker.addEventListener('message', onMessage, { signal })
      const settings = this.#known.settings()
      if (settings !== this.#settings) postToWorker(worker, { kind: 'settings', settings })
      this.#settings = settings
      postToWorker(worker, { kind: 'render', source })
    })
  }

  async #answer(worker: Worker, questions: readonly NameLookup[]): Promise<void> {
    const answers = await this.#known.answers(questions)
    postToWorker(worker, { kind: 'answers', answers })
  }

  end(): void {
    this.#stop()
  }

  #stop(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#settings = undefined
  }
}

function postToWorker(worker: Worker, message: ToRenderer): void {
  worker.postMessage(message)
}
