/** Background work that only close() awaits: a command that exits immediately must still announce its commit. */
export class PendingWork {
  readonly #works = new Set<Promise<unknown>>()
  readonly #onError: (error: Error) => void

  constructor(onError: (error: Error) => void) {
    this.#onError = onError
  }

  add(work: Promise<unknown>): void {
    const ended = work
      .catch((error: unknown) => this.#onError(error instanceof Error ? error : new Error(String(error))))
      .finally(() => this.#works.delete(ended))
    this.#works.add(ended)
  }

  async end(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works)
  }
}
