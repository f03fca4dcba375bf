const BLOCK_BYTES = 64 * 1024

/** Copies bytes into blocks: each kept chunk costs several hundred bytes, and the sender chooses the chunk size. */
export class ChunkBuffer {
  readonly #full: Buffer[] = []
  #block = Buffer.alloc(0)
  #used = 0

  add(piece: Uint8Array): void {
    for (let rest = piece; rest.length > 0;) {
      if (this.#used === this.#block.length) this.#begin()
      const copied = Math.min(rest.length, this.#block.length - this.#used)
      this.#block.set(rest.subarray(0, copied), this.#used)
      this.#used += copied
      rest = rest.subarray(copied)
    }
  }

  #begin(): void {
    if (this.#used > 0) this.#full.push(this.#block)
    this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.#used = 0
  }

  clear(): void {
    this.#full.length = 0
    this.#block = Buffer.alloc(0)
    this.#used = 0
  }

  bytes(): Buffer {
    return Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)])
  }
}
