import { batch, effect, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import type { Conversation } from '../../kernel/route.ts'
import { draftText, saveDraft, moveDraft, replaceDraft, typedDrafts } from '../drafts/state.ts'
import { reportTyping } from '../typing/state.ts'
import { ComposedText, type HiddenText } from './composed-text.ts'

export class Composition extends ComposedText {
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

  redirect(destination: Destination): void {
    const { value: before } = this.destination
    const isSame = destinationKey(before) === destinationKey(destination)
    if (!isSame) this.queue(undefined)
    if (!isSame && this.text.value.trim() !== '') moveDraft(before, destination, this.text.value)
    this.destination.value = destination
  }

  override typed(text: string, caret: number): void {
    super.typed(text, caret)
    const { conversation } = this
    if (conversation !== undefined && text.trim() !== '') reportTyping(conversation)
  }

  override clear(): void {
    super.clear()
    this.isExpanded.value = false
  }

  protected save(text: string): void {
    saveDraft(this.destination.value, text)
  }

  protected hiddenTextWith(placeholder: string): HiddenText | undefined {
    const found = [...typedDrafts().values()].find(({ content }) => content.includes(placeholder))
    if (found === undefined) return undefined
    const { destination, content: text } = found
    return { key: destinationKey(destination), text, replace: (changed) => replaceDraft(destination, changed) }
  }
}
