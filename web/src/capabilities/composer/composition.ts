import { batch, effect, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { moveClip } from '../clips/state.ts'
import { draftText, saveDraft, moveDraft, replaceDraft, typedDrafts } from '../drafts/state.ts'
import { reportTyping } from '../typing/state.ts'
import { ComposedText, type AddressedText, type HiddenText } from './composed-text.ts'

/** Quote with a link to its message, in the form that other clients use. */
const QUOTE = /^@_\*\*.+\*\* \[[^\]\n]*\]\(\S+\):\n(`{3,})quote\n[^]*?\n\1(?:\n|$)/

/** Separates a quote from the text that answers it. The quote is empty if the text does not begin with one. */
export function splitQuote(content: string): readonly [quote: string, text: string] {
  const [quote = ''] = QUOTE.exec(content) ?? []
  // The server removes the line break at the end of a draft.
  return [quote && `${quote.trimEnd()}\n`, content.slice(quote.length)]
}

export class Composition extends ComposedText implements AddressedText {
  readonly #home = signal<Destination | undefined>(undefined)
  readonly destination = signal<Destination>({ view: 'direct', userIds: [] })
  readonly isExpanded = signal(false)

  constructor(destination: Destination, home: Destination | undefined) {
    super()
    this.destination.value = destination
    this.#home.value = home
  }

  get key(): string {
    return destinationKey(this.destination.value)
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

  followDraft(): () => void {
    return effect(() => {
      const draft = draftText(this.destination.value)
      if (draft === this.quote.peek() + this.text.peek()) return
      const [quote, text] = splitQuote(draft)
      this.#keepSelection(text)
      batch(() => {
        this.quote.value = quote
        this.text.value = text
      })
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

  redirect(destination: Destination): void {
    const { value: before } = this.destination
    const isSame = destinationKey(before) === destinationKey(destination)
    if (!isSame) {
      this.queue(undefined)
      moveClip(destinationKey(before), destinationKey(destination))
    }
    if (!isSame && this.content.trim() !== '') moveDraft(before, destination, this.content)
    this.destination.value = destination
  }

  override typed(text: string, caret: number): void {
    super.typed(text, caret)
    const { conversation } = this
    if (conversation !== undefined && text.trim() !== '') reportTyping(conversation)
  }

  /** Shows a quote above the field. Text already answering another quote stays with it, so the new quote follows. */
  insertRequested(addition: string): void {
    const { value: shown } = this.quote
    const isQuote = splitQuote(addition)[0] !== ''
    if (isQuote && addition === shown) return
    if (isQuote && (shown === '' || this.text.peek().trim() === '')) this.setQuote(addition)
    else this.insert(addition, isQuote ? '\n\n' : undefined)
  }

  override clear(): void {
    this.quote.value = ''
    super.clear()
    this.isExpanded.value = false
  }

  protected save(text: string): void {
    saveDraft(this.destination.value, this.quote.peek() + text)
  }

  protected hiddenTextWith(placeholder: string): HiddenText | undefined {
    const found = [...typedDrafts().values()].find(({ content }) => content.includes(placeholder))
    if (found === undefined) return undefined
    const { destination, content: text } = found
    return { key: destinationKey(destination), text, replace: (changed) => replaceDraft(destination, changed) }
  }
}
