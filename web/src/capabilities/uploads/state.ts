import { signal } from '@preact/signals'
import { newId } from '../../kernel/ids.ts'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'

export interface Upload {
  readonly id: string
  readonly file: File
  /** Text that the link will replace. Deleting this text drops the file. */
  readonly placeholder: string
  readonly uploadedFraction: number
  readonly failure: string | undefined
  readonly canRetry: boolean
  /** Whether the page was closed during the upload, so that the file must be chosen again. */
  readonly isInterrupted?: boolean
  readonly destination: string
}

export function fileType(name: string): string {
  const [, ending = ''] = /[^./]\.([a-z0-9]{1,5})$/i.exec(name) ?? []
  return ending.toUpperCase()
}

export const uploads = signal<readonly Upload[]>([])

const EMPTY_LINK = /\[[^[\]\n]*\]\(\)\n?/g

/** Removes upload placeholders from text that leaves this page, because only this page can finish its uploads. */
export function removePlaceholders(text: string): string {
  if (!text.includes(']()')) return text
  const [before = '', after = ''] = t().composer.uploading('\n').split('\n')
  return text.replaceAll(EMPTY_LINK, (link) => {
    const label = link.slice(1, link.lastIndexOf(']'))
    return label.startsWith(before) && label.endsWith(after) ? '' : link
  })
}

export function uploadsIn(text: string): readonly Upload[] {
  return uploads.value.filter(({ failure, placeholder }) => failure === undefined && text.includes(placeholder))
}

export function addUpload(file: File, destination: string): Upload {
  const name = file.name.replaceAll(/[[\]\n]/g, '')
  let placeholder: string
  let count = 1
  do {
    placeholder = `[${t().composer.uploading(count === 1 ? name : `${name} (${count})`)}]()`
    count += 1
  } while (uploadsIn(placeholder).length > 0)
  const upload = {
    id: newId(),
    file,
    placeholder,
    uploadedFraction: 0,
    failure: undefined,
    canRetry: true,
    destination,
  }
  uploads.value = [...uploads.value, upload]
  return upload
}

export function changeUpload(id: string, change: Partial<Upload>): void {
  uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, ...change } : one))
}

export function removeUpload(id: string): void {
  uploads.value = uploads.value.filter((one) => one.id !== id)
}

export const PICTURE_LINKS = '.message_inline_image a:has(> img)'

export interface Picture {
  readonly name: string
  /** URL of the file or, for external pictures, of the server's copy. */
  readonly address: string
  readonly linked: string
  readonly message: Message | undefined
}

export interface ViewedImage {
  /** Link that gets the focus back when the viewer closes. */
  readonly link: HTMLAnchorElement
  /** Pictures to turn through, if they are not those of the message list. */
  readonly listed?: readonly Picture[]
}

export const viewedImage = signal<ViewedImage | undefined>(undefined)

export function viewImage(link: HTMLAnchorElement): boolean {
  if (!link.matches(PICTURE_LINKS)) return false
  viewedImage.value = { link }
  return true
}

export function closeViewer(): void {
  viewedImage.value = undefined
}
