import { ApiError } from '@parley/client'
import { uploads } from '@parley/server/contract'
import { isRecord } from '@parley/server/kernel/keys'
import { effect } from '@preact/signals'
import { loadUnsavedTexts, tu, tl } from '../../kernel/later-texts.ts'
import { deleteStoredDraft, storedDraftsOf, storeDraft, type StoredUpload } from '../../platform/cache.ts'
import { store } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { withLock } from '../../platform/sync/tabs.ts'
import { ownId } from '../users/state.ts'
import { changeUpload, removeUpload, uploads as shown, type Upload } from './state.ts'

export const BYTES_PER_MEBIBYTE = 1_048_576

const abortControllers = new Map<string, AbortController>()

/** @param onEnd called with the Markdown link, or with the failure */
export async function uploadFile(
  upload: Upload,
  onEnd: (link: string | undefined, failure?: Pick<Upload, 'failure' | 'canRetry'>) => void,
): Promise<void> {
  const { id, file } = upload
  const most = store().read('max_file_upload_size_mib')
  if (file.size > most * BYTES_PER_MEBIBYTE)
    return onEnd(undefined, { failure: tl().composer.fileTooLarge(most), canRetry: false })
  const aborter = new AbortController()
  recordUploadStart(id, aborter)
  void storeFileName(upload, aborter.signal)
  try {
    const onProgress = (uploadedFraction: number): void => changeUpload(id, { uploadedFraction })
    const { url, filename } = await transferFile(file, { signal: aborter.signal, onProgress })
    onEnd(`[${filename.replaceAll(/[[\]]/g, '')}](${url})`)
  } catch (error) {
    onEnd(undefined, { failure: reasonOf(error), canRetry: true })
  } finally {
    recordUploadEnd(id)
  }
}

const UPLOAD_KEY_PREFIX = 'upload:'

const preventClosing = (event: BeforeUnloadEvent): void => event.preventDefault()

function recordUploadStart(id: string, aborter: AbortController): void {
  if (abortControllers.size === 0) window.addEventListener('beforeunload', preventClosing)
  abortControllers.set(id, aborter)
}

function recordUploadEnd(id: string): void {
  abortControllers.delete(id)
  if (abortControllers.size === 0) window.removeEventListener('beforeunload', preventClosing)
}

/** Stores the file's name until the upload ends. Meanwhile, a lock tells other tabs that this tab shows the upload. */
async function storeFileName({ id, file, destination }: Upload, canceled: AbortSignal): Promise<void> {
  const key = UPLOAD_KEY_PREFIX + id
  await withLock(key, async () => {
    await storeDraft({ key, userId: ownId(), content: file.name, editedAt: Date.now(), uploadTo: destination })
    await waitUntilRemoved(id, canceled)
    await deleteStoredDraft(key)
  })
}

async function waitUntilRemoved(id: string, canceled: AbortSignal): Promise<void> {
  let stop = (): void => undefined
  await new Promise<void>((resolve) => {
    canceled.addEventListener('abort', () => resolve())
    stop = effect(() => {
      if (canceled.aborted || !shown.value.some((one) => one.id === id)) resolve()
    })
  })
  stop()
}

/** Lists stored uploads that no tab shows, and those of other tabs as soon as these tabs close. */
export async function listInterrupted(stored: readonly StoredUpload[]): Promise<void> {
  await loadUnsavedTexts()
  // After a reload, the browser can take a moment to release the locks of the former page.
  await Promise.all(stored.map(async (upload) => withLock(upload.key, async () => listInterruptedIfStored(upload))))
}

async function listInterruptedIfStored({ key, content: name, uploadTo: destination }: StoredUpload): Promise<void> {
  const stored = await storedDraftsOf(ownId())
  if (!stored.some((one) => one.key === key)) return
  const id = key.slice(UPLOAD_KEY_PREFIX.length)
  const failure = tu().notUploaded(name)
  const found: Upload = {
    id,
    file: new File([], name),
    placeholder: '',
    uploadedFraction: 0,
    failure,
    canRetry: false,
    isInterrupted: true,
    destination,
  }
  shown.value = [...shown.value, found]
}

export function dismissInterrupted({ id }: Upload): void {
  removeUpload(id)
  void deleteStoredDraft(UPLOAD_KEY_PREFIX + id)
}

export function cancelUpload({ id }: Upload): void {
  const aborter = abortControllers.get(id)
  if (aborter === undefined) removeUpload(id)
  else aborter.abort()
}

/** Browsers allow few connections per host, and other requests need some of these connections. */
const MAX_PARALLEL_TRANSFERS = 3

let runningTransfers = 0
const waitingTransfers: (() => void)[] = []

/** @throws DOMException if canceled before a slot is free */
async function waitForTransferSlot(signal: AbortSignal): Promise<void> {
  if (runningTransfers < MAX_PARALLEL_TRANSFERS) {
    runningTransfers += 1
    return
  }
  await new Promise<void>((resolve, reject) => {
    const begin = (): void => resolve()
    waitingTransfers.push(begin)
    signal.addEventListener('abort', () => {
      const at = waitingTransfers.indexOf(begin)
      if (at === -1) return
      waitingTransfers.splice(at, 1)
      reject(new DOMException('canceled', 'AbortError'))
    })
  })
}

function releaseTransferSlot(): void {
  const next = waitingTransfers.shift()
  if (next === undefined) runningTransfers -= 1
  else next()
}

interface TransferOptions {
  readonly signal: AbortSignal
  readonly onProgress: (uploadedFraction: number) => void
}

/** Uploads in a free slot. Reports progress, which `fetch` cannot do. @throws ApiError or TypeError, like `call` */
async function transferFile(
  file: File,
  options: TransferOptions,
): Promise<{ readonly url: string; readonly filename: string }> {
  await waitForTransferSlot(options.signal)
  try {
    return await postFile(file, options)
  } finally {
    releaseTransferSlot()
  }
}

async function postFile(
  file: File,
  { signal, onProgress }: TransferOptions,
): Promise<{ readonly url: string; readonly filename: string }> {
  const request = new XMLHttpRequest()
  const form = new FormData()
  form.set('file', file)
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
    request.addEventListener('error', () => reject(new TypeError('the server cannot be reached')))
    request.addEventListener('abort', () => reject(new DOMException('canceled', 'AbortError')))
    request.addEventListener('load', () => {
      const body = parseObject(request.responseText)
      const { url, filename } = body
      if (request.status !== 200 || typeof url !== 'string' || typeof filename !== 'string')
        reject(new ApiError(request.status, body))
      else resolve({ url, filename })
    })
    signal.addEventListener('abort', () => request.abort())
    request.open(uploads.uploadFile.method, `${SESSION.url}/api/v1${uploads.uploadFile.path}`)
    request.send(form)
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
