import { signal, type Signal } from '@preact/signals'
import type { Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { addUpload, changeUpload, removeUpload, uploads, uploadsIn, type Upload } from '../uploads/state.ts'
import type { FormatName } from './formats.ts'
import type * as Formatting from './formatting.ts'

/** Longer insertions bypass the browser's undo, which is too slow for them. */
const MAX_UNDOABLE_CHARACTERS = 20_000

/** Loaded when a field is focused. */
export const formatting = signal<typeof Formatting>()

/** Functions that send a text when its uploads finish, by the text's key. */
const queuedSends = signal<ReadonlyMap<string, () => void>>(new Map())

interface TextLocation {
  readonly key: string
  readonly text: string
}

export interface HiddenText extends TextLocation {
  readonly replace: (text: string) => void
}

/** Text in a field with formatting, completion, and uploads. */
export abstract class ComposedText {
  readonly text = signal('')
  /** Quote above the field, part of the draft and of the message. */
  readonly quote = signal('')
  /** Position of the caret after typing; undefined if there is nothing to complete. */
  readonly caret = signal<number | undefined>(undefined)
  readonly hasPreview = signal(false)
  field: HTMLTextAreaElement | undefined
  /** Pending insertion that sending waits for. */
  insertion: Promise<void> | undefined
  /** Whether code is changing the field. If so, completion is off. */
  #isReplacing = false

  /** Assigns uploads and queued sends to this text. */
  abstract get key(): string
  /** Conversation whose participants completion suggests first. */
  abstract get conversation(): Conversation | undefined
  protected abstract save(text: string): void
  /** Finds the text with an upload's placeholder if this field does not show it. */
  protected abstract hiddenTextWith(placeholder: string): HiddenText | undefined

  get content(): string {
    return this.quote.value + this.text.value
  }

  setQuote(quote: string): void {
    this.quote.value = quote
    this.save(this.text.peek())
  }

  /** Uploads whose placeholder is in the text, and failed uploads to this text. */
  get uploads(): readonly Upload[] {
    const { key } = this
    const ongoing = uploadsIn(this.text.value)
    return uploads.value.filter(
      (one) => ongoing.includes(one) || (one.failure !== undefined && one.destination === key),
    )
  }

  /** Whether the text seems to link to uploads. The part that finds these links loads only then. */
  get hasUploadLinks(): boolean {
    return this.text.value.includes('](/user_uploads/')
  }

  get hasFiles(): boolean {
    return this.hasUploadLinks || this.uploads.length > 0
  }

  get isUploading(): boolean {
    return uploadsIn(this.text.value).length > 0
  }

  get isQueued(): boolean {
    return queuedSends.value.has(this.key)
  }

  /** @param send runs when all uploads have finished, unless the text changes first; if undefined, nothing is sent */
  queue(send: (() => void) | undefined): void {
    const { key } = this
    const others = [...queuedSends.value].filter(([other]) => other !== key)
    if (send !== undefined || this.isQueued)
      queuedSends.value = new Map(send === undefined ? others : [...others, [key, send]])
  }

  upload(files: readonly File[]): void {
    for (const file of files) {
      const upload = addUpload(file, this.key)
      this.insert(`${upload.placeholder}\n`)
      void withPart(
        import('../uploads/transfer.ts'),
        ({ uploadFile }) => void uploadFile(upload, (...end) => this.#finish(upload, ...end)),
        () => this.#finish(upload, undefined, { failure: t().errors.network, canRetry: true }),
      )
    }
  }

  retry(upload: Upload): void {
    removeUpload(upload.id)
    this.upload([upload.file])
  }

  #finish(upload: Upload, link: string | undefined, failure?: Pick<Upload, 'failure' | 'canRetry'>): void {
    const changed = this.#substitute(upload.placeholder, link)
    const { key: destination } = changed ?? this
    const send = queuedSends.value.get(destination)
    if (failure === undefined) removeUpload(upload.id)
    else changeUpload(upload.id, { ...failure, destination })
    if (changed === undefined || send === undefined) return
    if (failure === undefined && uploadsIn(changed.text).length > 0) return
    queuedSends.value = new Map([...queuedSends.value].filter(([other]) => other !== destination))
    if (failure === undefined) send()
  }

  typed(text: string, caret: number): void {
    this.#set(text)
    this.caret.value = this.#isReplacing ? undefined : caret
  }

  /** Replaces text so that the browser can undo the change, and selects part of the new text. */
  replace(from: number, to: number, addition: string, [start, end] = [addition.length, addition.length]): void {
    const { field, text } = this
    if (field === undefined) {
      this.#set(text.value.slice(0, from) + addition + text.value.slice(to))
      return
    }
    field.focus()
    field.setSelectionRange(from, to)
    this.#isReplacing = true
    if (addition.length > MAX_UNDOABLE_CHARACTERS || !insertUndoably(addition))
      field.setRangeText(addition, from, to, 'end')
    this.#isReplacing = false
    this.#set(field.value)
    this.caret.value = undefined
    field.setSelectionRange(from + start, from + end)
  }

  /** @param gap separates the addition from text before it, unless that ends with white space */
  insert(addition: string, gap = ' '): void {
    const { value: text } = this.text
    const [from, to] = this.selection
    const isApart = from === 0 || /\s$/.test(text.slice(0, from))
    this.replace(from, to, isApart ? addition : gap + addition)
  }

  format(name: FormatName): void {
    const apply = ({ FORMATS }: typeof Formatting): void => {
      const { from, to, text, selected } = FORMATS[name](this.text.value, ...this.selection)
      this.replace(from, to, text, selected)
    }
    // Formats immediately if possible, because the next letter belongs between the marks.
    if (formatting.value !== undefined) apply(formatting.value)
    else
      void withPart(import('./formatting.ts'), (part) => {
        formatting.value = part
        apply(part)
      })
  }

  get selection(): readonly [from: number, to: number] {
    const { length } = this.text.value
    return [this.field?.selectionStart ?? length, this.field?.selectionEnd ?? length]
  }

  /** Replaces a placeholder with a link. @returns the changed text, which can be in another view */
  #substitute(placeholder: string, link = ''): TextLocation | undefined {
    const { field } = this
    const hidden = field?.value.includes(placeholder) === true ? undefined : this.hiddenTextWith(placeholder)
    const { key, text } = hidden ?? { key: this.key, text: field?.value ?? '' }
    const from = text.indexOf(placeholder)
    if (from === -1) return undefined
    const end = from + placeholder.length
    const to = link === '' && text.charAt(end) === '\n' ? end + 1 : end
    const changed = text.slice(0, from) + link + text.slice(to)
    if (hidden === undefined) {
      field?.setRangeText(link, from, to, 'preserve')
      this.text.value = changed
      this.save(changed)
    } else hidden.replace(changed)
    return { key, text: changed }
  }

  clear(): void {
    if (this.field !== undefined) this.field.value = ''
    this.#set('')
    this.caret.value = undefined
    this.hasPreview.value = false
  }

  #set(text: string): void {
    if (text === this.text.peek()) return
    this.queue(undefined)
    this.save(text)
    this.text.value = text
  }
}

export interface AddressedText extends ComposedText {
  readonly destination: Signal<Destination>
  redirect(destination: Destination): void
}

function insertUndoably(text: string): boolean {
  // Deprecated, but the only way to preserve the browser's undo.
  const editor = document as { execCommand(command: string, showUi: boolean, value: string): boolean }
  return editor.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}
