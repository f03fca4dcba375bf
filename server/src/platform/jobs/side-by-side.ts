/** How many pieces of a job are done at once. */
export interface SideBySide {
  readonly most: number
  /** For one organization, so that none takes all the room. */
  readonly mostOfOne: number
}

interface Piece {
  readonly organizationId: number
  readonly id: number
}

/** The pieces of one job that are being done, each by itself: a piece that takes long holds up no other. */
export class PiecesSideBySide {
  readonly #limits: SideBySide
  readonly #doing = new Map<string, { readonly organizationId: number; readonly done: Promise<void> }>()
  #hasEnded = false

  constructor(limits: SideBySide) {
    this.#limits = limits
  }

  /** Begins with what there is room for; the rest is found at another look. `work` reports its own errors. */
  begin<Due extends Piece>(due: readonly Due[], work: (piece: Due) => Promise<void>): void {
    for (const piece of due) {
      const key = `${piece.organizationId}:${piece.id}`
      if (this.#doing.size >= this.#limits.most) return
      if (this.#doing.has(key) || this.#doneFor(piece.organizationId) >= this.#limits.mostOfOne) continue
      const done = work(piece).finally(() => {
        this.#doing.delete(key)
        this.#hasEnded = true
      })
      this.#doing.set(key, { organizationId: piece.organizationId, done })
    }
  }

  /** Whether a piece is being done, or has ended and nobody has asked since. */
  get isBusy(): boolean {
    return this.#hasEnded || this.#doing.size > 0
  }

  /** Whether a piece has ended since it was asked last, so that there is room for another. */
  takeEnded(): boolean {
    const hasEnded = this.#hasEnded
    this.#hasEnded = false
    return hasEnded
  }

  #doneFor(organizationId: number): number {
    return [...this.#doing.values()].filter((piece) => piece.organizationId === organizationId).length
  }

  /** Resolves when nothing is being done any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.#doing.values()].map(async ({ done }) => done))
  }
}
