import { effect, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { draftText, keepDraft, moveDraft, replaceDraft } from '../drafts/state.ts'
import { sayTyping } from '../typing/state.ts'
import { Uploads } from '../uploads/state.ts'
import type { Format } from './formatting.ts'

/** Longer texts are put in without the browser's own undoing, which takes too long for them. */
const MOST_UNDOABLE_CHARACTERS = 20_000

/** What stands in texts for files that are on their way, from wherever they were begun. */
const placeholders = signal<ReadonlySet<string>>(new Set())

/** A message that is being written: its text, and where it goes. */
export class Writing {
  readonly home: Destination | undefined
  readonly destination = signal<Destination>({ view: 'direct', userIds: [] })
  readonly text = signal('')
  /** Where the caret was when something was typed; undefined where nothing is to be completed. */
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
  /** The field on the screen; undefined while there is none. */
  field: HTMLTextAreaElement | undefined
  /** What is put into the field is not typed: nothing is completed in it. */
  #isReplacing = false

  /** @param home where the view has one write; undefined where one chooses */
  constructor(destination: Destination, home: Destination | undefined) {
    this.destination.value = destination
    this.home = home
  }

  /** Shows what was begun for the destination, here or in another client. @returns what ends it */
  followDraft(): () => void {
    return effect(() => {
      const content = draftText(this.destination.value)
      if (content !== this.text.peek()) this.text.value = content
    })
  }

  /** The conversation to which it goes; undefined as long as that is not chosen. */
  get conversation(): Conversation | undefined {
    return conversationAt(this.destination.value)
  }

  /** Whether a file is still on its way, also one that was begun before another view was shown. */
  get isUploading(): boolean {
    const text = this.text.value
    return this.uploads.isBusy || [...placeholders.value].some((one) => text.includes(one))
  }

  /** Sends it elsewhere; what was written goes along. */
  redirect(destination: Destination): void {
    const { value: before } = this.destination
    const isSame = destinationKey(before) === destinationKey(destination)
    if (!isSame && this.text.value.trim() !== '') moveDraft(before, destination, this.text.value)
    this.destination.value = destination
  }

  /** The field has another text. */
  typed(text: string, caret: number): void {
    this.#set(text)
    this.caret.value = this.#isReplacing ? undefined : caret
    const { conversation } = this
    if (conversation !== undefined && text.trim() !== '') sayTyping(conversation)
  }

  /** Puts a text in place of a part, so that the browser can undo it, and selects a part of the result. */
  replace(from: number, to: number, addition: string, [start, end] = [addition.length, addition.length]): void {
    const { field, text } = this
    if (field === undefined) {
      this.#set(text.value.slice(0, from) + addition + text.value.slice(to))
      return
    }
    field.focus()
    field.setSelectionRange(from, to)
    this.#isReplacing = true
    if (addition.length > MOST_UNDOABLE_CHARACTERS || !putIn(addition)) field.setRangeText(addition, from, to, 'end')
    this.#isReplacing = false
    this.#set(field.value)
    this.caret.value = undefined
    field.setSelectionRange(from + start, from + end)
  }

  /** Puts a text where the caret is, apart from the word before it. */
  insert(addition: string): void {
    const { value: text } = this.text
    const [from, to] = this.selection
    const gap = from > 0 && !/\s$/.test(text.slice(0, from)) ? ' ' : ''
    this.replace(from, to, gap + addition)
  }

  /** Formats what is selected. */
  format(format: Format): void {
    const { value: text } = this.text
    const { from, to, text: addition, selected } = format(text, ...this.selection)
    this.replace(from, to, addition, selected)
  }

  /** What is selected: where it begins and ends. */
  get selection(): readonly [from: number, to: number] {
    const { length } = this.text.value
    return [this.field?.selectionStart ?? length, this.field?.selectionEnd ?? length]
  }

  /** Changes a text wherever it stands, without moving the caret; what is not there is not changed. */
  #substitute(before: string, after: string): void {
    const { field } = this
    const { value: destination } = this.destination
    const text = field === undefined ? draftText(destination) : field.value
    const at = text.indexOf(before)
    if (at === -1) return
    const changed = text.slice(0, at) + after + text.slice(at + before.length)
    // Where another view was shown since, the draft is all that there is; it may be on the screen again.
    if (field === undefined) replaceDraft(destination, changed)
    else {
      field.setRangeText(after, at, at + before.length, 'preserve')
      this.#set(changed)
    }
  }

  /** Begins anew, when it was sent. */
  clear(): void {
    if (this.field !== undefined) this.field.value = ''
    this.#set('')
    this.caret.value = undefined
    this.hasPreview.value = false
    this.isExpanded.value = false
  }

  #set(text: string): void {
    if (text === this.text.peek()) return
    keepDraft(this.destination.value, text)
    this.text.value = text
  }
}

/** What stands in the text until a file is there. */
function placeholderOf({ name }: File): string {
  return `[${t().composer.uploading(name.replaceAll(/[[\]\n]/g, ''))}]()`
}

/** Types a text into what has the focus. @returns whether the browser can */
function putIn(text: string): boolean {
  // Deprecated, and the only way that keeps the browser's own undoing.
  const editor = document as { execCommand(command: string, showUi: boolean, value: string): boolean }
  return editor.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}
