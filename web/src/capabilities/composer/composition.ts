import { batch, effect, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { draftText, saveDraft, moveDraft, replaceDraft, typedDrafts } from '../drafts/state.ts'
import { reportTyping } from '../typing/state.ts'
import { addUpload, changeUpload, removeUpload, uploads, uploadsIn, type Upload } from '../uploads/state.ts'
import type { Format } from './formatting.ts'

/** Longer insertions bypass the browser's undo, which is too slow for them. */
const MAX_UNDOABLE_CHARACTERS = 20_000

/** Messages to send when their uploads finish, by destination. */
const queuedSends = signal<ReadonlyMap<string, () => void>>(new Map())

export class Composition {
  readonly #home = signal<Destination | undefined>(undefined)
  readonly destination = signal<Destination>({ view: 'direct', userIds: [] })
  readonly text = signal('')
  /** Position of the caret after typing; undefined if there is nothing to complete. */
  readonly caret = signal<number | undefined>(undefined)
  readonly hasPreview = signal(false)
  readonly isExpanded = signal(false)
  field: HTMLTextAreaElement | undefined
  pasting: Promise<void> | undefined
  /** Whether code is changing the field. If so, completion is off. */
  #isReplacing = false

  constructor(destination: Destination, home: Destination | undefined) {
    this.destination.value = destination
    this.#home.value = home
  }

  get home(): Destination | undefined {
    return this.#home.value
  }

  /** Switches to the new location of a topic that was moved with its draft. The caret keeps its position. */
  follow(from: Destination, to: Destination): void {
    const isFrom = (one: Destination | undefined) => one !== undefined && destinationKey(one) === destinationKey(from)
    batch(() => {
      if (isFrom(this.home)) this.#home.value = to
      if (isFrom(this.destination.value)) this.destination.value = to
    })
  }

  /** @returns a function that stops following */
  followDraft(): () => void {
    return effect(() => {
      const content = draftText(this.destination.value)
      if (content === this.text.peek()) return
      this.#keepSelection(content)
      this.text.value = content
    })
  }

  /** Keeps the caret in its part of the text when two topics merge and their drafts are joined. */
  #keepSelection(content: string): void {
    const { field } = this
    if (field === undefined || field.value === '') return
    const { value, selectionStart: from, selectionEnd: to } = field
    const isAfter = content.endsWith(`\n\n${value}`)
    if (!isAfter && !content.startsWith(`${value}\n\n`)) return
    const before = isAfter ? content.length - value.length : 0
    field.value = content
    field.setSelectionRange(before + from, before + to)
  }

  get conversation(): Conversation | undefined {
    return conversationAt(this.destination.value)
  }

  /** Uploads whose placeholder is in the text, and failed uploads to this destination. */
  get uploads(): readonly Upload[] {
    const key = destinationKey(this.destination.value)
    const ongoing = uploadsIn(this.text.value)
    return uploads.value.filter(
      (one) => ongoing.includes(one) || (one.failure !== undefined && one.destination === key),
    )
  }

  get isUploading(): boolean {
    return uploadsIn(this.text.value).length > 0
  }

  get isQueued(): boolean {
    return queuedSends.value.has(destinationKey(this.destination.value))
  }

  /** @param send runs when all uploads have finished, unless the text changes first; if undefined, nothing is sent */
  queue(send: (() => void) | undefined): void {
    const key = destinationKey(this.destination.value)
    const others = [...queuedSends.value].filter(([other]) => other !== key)
    if (send !== undefined || this.isQueued)
      queuedSends.value = new Map(send === undefined ? others : [...others, [key, send]])
  }

  upload(files: readonly File[]): void {
    for (const file of files) {
      const upload = addUpload(file, destinationKey(this.destination.value))
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
    const at = this.#substitute(upload.placeholder, link)
    const destination = destinationKey(at ?? this.destination.value)
    const send = queuedSends.value.get(destination)
    if (failure === undefined) removeUpload(upload.id)
    else changeUpload(upload.id, { ...failure, destination })
    if (at === undefined || send === undefined) return
    if (failure === undefined && uploadsIn(draftText(at)).length > 0) return
    queuedSends.value = new Map([...queuedSends.value].filter(([other]) => other !== destination))
    if (failure === undefined) send()
  }

  redirect(destination: Destination): void {
    const { value: before } = this.destination
    const isSame = destinationKey(before) === destinationKey(destination)
    if (!isSame) this.queue(undefined)
    if (!isSame && this.text.value.trim() !== '') moveDraft(before, destination, this.text.value)
    this.destination.value = destination
  }

  typed(text: string, caret: number): void {
    this.#set(text)
    this.caret.value = this.#isReplacing ? undefined : caret
    const { conversation } = this
    if (conversation !== undefined && text.trim() !== '') reportTyping(conversation)
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

  insert(addition: string): void {
    const { value: text } = this.text
    const [from, to] = this.selection
    const gap = from > 0 && !/\s$/.test(text.slice(0, from)) ? ' ' : ''
    this.replace(from, to, gap + addition)
  }

  format(format: Format): void {
    const { value: text } = this.text
    const { from, to, text: addition, selected } = format(text, ...this.selection)
    this.replace(from, to, addition, selected)
  }

  get selection(): readonly [from: number, to: number] {
    const { length } = this.text.value
    return [this.field?.selectionStart ?? length, this.field?.selectionEnd ?? length]
  }

  /** Replaces a placeholder with a link. @returns the destination of the changed text, which can be in another view */
  #substitute(placeholder: string, link = ''): Destination | undefined {
    const { field } = this
    const isHere = field?.value.includes(placeholder) === true
    const { destination, content } = isHere
      ? { destination: this.destination.value, content: field.value }
      : ([...typedDrafts().values()].find((typed) => typed.content.includes(placeholder)) ?? {})
    if (destination === undefined || content === undefined) return undefined
    const from = content.indexOf(placeholder)
    const end = from + placeholder.length
    const to = link === '' && content.charAt(end) === '\n' ? end + 1 : end
    const changed = content.slice(0, from) + link + content.slice(to)
    if (isHere) {
      field.setRangeText(link, from, to, 'preserve')
      this.text.value = changed
      saveDraft(destination, changed)
    } else replaceDraft(destination, changed)
    return destination
  }

  clear(): void {
    if (this.field !== undefined) this.field.value = ''
    this.#set('')
    this.caret.value = undefined
    this.hasPreview.value = false
    this.isExpanded.value = false
  }

  #set(text: string): void {
    if (text === this.text.peek()) return
    this.queue(undefined)
    saveDraft(this.destination.value, text)
    this.text.value = text
  }
}

function insertUndoably(text: string): boolean {
  // Deprecated, but the only way to preserve the browser's undo.
  const editor = document as { execCommand(command: string, showUi: boolean, value: string): boolean }
  return editor.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}
