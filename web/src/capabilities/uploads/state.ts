import { signal } from '@preact/signals'
import { newId } from '../../kernel/ids.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { transfer } from './transfer.ts'

export interface Upload {
  readonly id: string
  readonly file: File
  readonly share: number
  readonly failure: string | undefined
  readonly canRetry: boolean
}

interface Target {
  readonly onStart: (upload: Upload) => void
  /** Called with the Markdown link, or with undefined on failure. */
  readonly onEnd: (upload: Upload, link: string | undefined) => void
}

const MEBIBYTE = 1_048_576

export class Uploads {
  readonly all = signal<readonly Upload[]>([])
  readonly #target: Target
  readonly #aborters = new Map<string, AbortController>()

  constructor(target: Target) {
    this.#target = target
  }

  get isBusy(): boolean {
    return this.all.value.some(({ failure }) => failure === undefined)
  }

  start(files: readonly File[]): void {
    for (const file of files) void this.#upload({ id: newId(), file, share: 0, failure: undefined, canRetry: true })
  }

  retry(upload: Upload): void {
    this.#remove(upload.id)
    this.start([upload.file])
  }

  cancel({ id }: Upload): void {
    this.#aborters.get(id)?.abort()
    this.#remove(id)
  }

  async #upload(upload: Upload): Promise<void> {
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

  #change(id: string, change: Partial<Upload>): void {
    this.all.value = this.all.value.map((one) => (one.id === id ? { ...one, ...change } : one))
  }

  #remove(id: string): void {
    this.all.value = this.all.value.filter((one) => one.id !== id)
  }
}
