import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { FILE_MODE } from '../platform/backup/folder.ts'

export type IdListKind = 'user' | 'channel' | 'group' | 'message' | 'file' | 'emoji'

export class IdList {
  readonly #stream: WriteStream

  constructor(path: string) {
    this.#stream = createWriteStream(path, { flags: 'wx', mode: FILE_MODE })
    this.#stream.on('error', () => undefined)
  }

  async add(kind: IdListKind, there: string, here: number): Promise<void> {
    if (this.#stream.errored !== null) throw this.#stream.errored
    if (!this.#stream.write(`${JSON.stringify({ kind, there, here })}\n`)) await once(this.#stream, 'drain')
  }

  async close(): Promise<void> {
    if (this.#stream.errored !== null) throw this.#stream.errored
    this.#stream.end()
    if (!this.#stream.closed) await once(this.#stream, 'close')
  }
}
