import { effect, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { draftText, saveDraft, moveDraft, replaceDraft } from '../drafts/state.ts'
import { reportTyping } from '../typing/state.ts'
import { Uploads } from '../uploads/state.ts'
import type { Format } from './formatting.ts'

/** Limit for the browser's undo, which takes too long for longer texts. */
const MAX_UNDOABLE_CHARACTERS = 20_000

const placeholders = signal<ReadonlySet<string>>(new Set())

export class Composition {
  readonly home: Destination | undefined
  readonly destination = signal<Destination>({ view: 'direct', userIds: [] })
  readonly text = signal('')
  /** Position of the caret after typing; undefined if there is nothing to complete. */
  readonly caret = signal<number | undefined>(undefined)
  readonly hasPreview = signal(false)
  readonly isExpanded = signal(false)
  readonly uploads = new Uploads({
    onStart: ({ file }) => {
      placeholders.value = new Set([...placeholders.value, placeholderOf(file)])
      this.insert(`${placeholderOf(file)}\n`)
    },
    onEnd: ({ file }, link) => {
      placeholders.value = new Set([...placeholders.value].filter((one) => one !== placeholderOf(file)))
      this.#substitute(placeholderOf(file) + (link === undefined ? '\n' : ''), link ?? '')
    },
  })
  field: HTMLTextAreaElement | undefined
  pasting: Promise<void> | undefined
  /** Set while code, not the user, changes the field, to turn off completion. */
  #isReplacing = false

  constructor(destination: Destination, home: Destination | undefined) {
    this.destination.value = destination
    this.home = home
  }

  /** @returns a function that stops following */
  followDraft(): () => void {
    return effect(() => {
      const content = draftText(this.destination.value)
      if (content !== this.text.peek()) this.text.value = content
    })
  }

  get conversation(): Conversation | undefined {
    return conversationAt(this.destination.value)
  }

  /** Includes uploads started before another view was shown. */
  get isUploading(): boolean {
    const text = this.text.value
    return this.uploads.isBusy || [...placeholders.value].some((one) => text.includes(one))
  }

  redirect(destination: Destination): void {
    const { value: before } = this.destination
    const isSame = destinationKey(before) === destinationKey(destination)
    if (!isSame && this.text.value.trim() !== '') moveDraft(before, destination, this.text.value)
    this.destination.value = destination
  }

  typed(text: string, caret: number): void {
    this.#set(text)
    this.caret.value = this.#isReplacing ? undefined : caret
    const { conversation } = this
    if (conversation !== undefined && text.trim() !== '') reportTyping(conversation)
  }

  /** Lets the browser undo the change, and selects part of the new text. */
  replace(from: number, to: number, addition: string, [start, end] = [addition.length, addition.length]): void {
    const { field, text } = this
    if (field === undefined) {
      this.#set(text.value.slice(0, from) + addition + text.value.slice(to))
      return
    }
    field.focus()
    field.setSelectionRange(from, to)
    this.#isReplacing = true
    if (addition.length > MAX_UNDOABLE_CHARACTERS || !putIn(addition)) field.setRangeText(addition, from, to, 'end')
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

  #substitute(before: string, after: string): void {
    const { field } = this
    const { value: destination } = this.destination
    const text = field === undefined ? draftText(destination) : field.value
    const at = text.indexOf(before)
    if (at === -1) return
    const changed = text.slice(0, at) + after + text.slice(at + before.length)
    // Without a field, because another view is shown, the text exists only as a draft.
    if (field === undefined) replaceDraft(destination, changed)
    else {
      field.setRangeText(after, at, at + before.length, 'preserve')
      this.#set(changed)
    }
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
    saveDraft(this.destination.value, text)
    this.text.value = text
  }
}

function placeholderOf({ name }: File): string {
  return `[${t().composer.uploading(name.replaceAll(/[[\]\n]/g, ''))}]()`
}

function putIn(text: string): boolean {
  // Deprecated, but the only way to preserve the browser's undo.
  const editor = document as { execCommand(command: string, showUi: boolean, value: string): boolean }
  return editor.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}
