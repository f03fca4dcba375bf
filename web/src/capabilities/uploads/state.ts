import { signal } from '@preact/signals'
import { newId } from '../../kernel/ids.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { transfer } from './transfer.ts'

/** A file on its way to the server, or one that did not get there. */
export interface Uploading {
  readonly id: string
  readonly file: File
  /** From 0 to 1. */
  readonly share: number
  /** Why it is not there; undefined while it is on its way. */
  readonly failure: string | undefined
  /** Whether it may get there the next time. */
  readonly canRetry: boolean
}

interface Target {
  /** The file begins its way. */
  readonly onStart: (upload: Uploading) => void
  /** It ended: the link to it for a message, or undefined where there is none. */
  readonly onEnd: (upload: Uploading, link: string | undefined) => void
}

const MEBIBYTE = 1_048_576

/** The files that are uploaded for one message. */
export class Uploads {
  readonly all = signal<readonly Uploading[]>([])
  readonly #target: Target
  readonly #aborters = new Map<string, AbortController>()

  constructor(target: Target) {
    this.#target = target
  }

  /** Whether a file is still on its way. */
  get isBusy(): boolean {
    return this.all.value.some(({ failure }) => failure === undefined)
  }

  start(files: readonly File[]): void {
    for (const file of files) void this.#upload({ id: newId(), file, share: 0, failure: undefined, canRetry: true })
  }

  /** Tries again with a file that did not get there. */
  retry(upload: Uploading): void {
    this.#remove(upload.id)
    this.start([upload.file])
  }

  /** Ends the way of a file, or takes away what is said of it. */
  cancel({ id }: Uploading): void {
    this.#aborters.get(id)?.abort()
    this.#remove(id)
  }

  async #upload(upload: Uploading): Promise<void> {
    const { id, file } = upload
    const most = store().read('max_file_upload_size_mib')
    if (file.size > most * MEBIBYTE) {
      this.all.value = [...this.all.value, { ...upload, failure: t().composer.fileTooLarge(most), canRetry: false }]
      return
    }
    const aborter = new AbortController()
    this.#aborters.set(id, aborter)
    this.all.value = [...this.all.value, upload]
    this.#target.onStart(upload)
    try {
      const onProgress = (share: number): void => this.#change(id, { share })
      const { url, filename } = await transfer(file, { signal: aborter.signal, onProgress })
      this.#remove(id)
      this.#target.onEnd(upload, `[${filename.replaceAll(/[[\]]/g, '')}](${url})`)
    } catch (error) {
      this.#target.onEnd(upload, undefined)
      this.#change(id, { failure: reasonOf(error) })
    } finally {
      this.#aborters.delete(id)
    }
  }

  #change(id: string, change: Partial<Uploading>): void {
    this.all.value = this.all.value.map((one) => (one.id === id ? { ...one, ...change } : one))
  }

  #remove(id: string): void {
    this.all.value = this.all.value.filter((one) => one.id !== id)
  }
}
