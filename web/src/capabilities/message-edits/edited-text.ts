import { conversationOfMessage } from '../../kernel/message.ts'
import type { Conversation } from '../../kernel/route.ts'
import { storeDraft } from '../../platform/cache.ts'
import { messages } from '../../platform/client.ts'
import { ComposedText, type HiddenText } from '../composer/composed-text.ts'
import { withoutPlaceholders } from '../uploads/state.ts'
import { ownId } from '../users/state.ts'
import { editKey, editsByMessageId, type Edit } from './state.ts'

/** Keeps text while its row is outside the window of drawn messages, because its uploads continue. */
const textsByEdit = new WeakMap<Edit, EditedText>()

export function editedTextOf(id: number, edit: Edit): EditedText {
  const text = textsByEdit.get(edit) ?? new EditedText(id, edit)
  textsByEdit.set(edit, text)
  return text
}

export class EditedText extends ComposedText {
  readonly #id: number
  readonly #edit: Edit

  constructor(id: number, edit: Edit) {
    super()
    this.#id = id
    this.#edit = edit
    this.text.value = edit.text
  }

  get key(): string {
    return editKey(this.#id)
  }

  get conversation(): Conversation | undefined {
    const message = messages.get(this.#id)?.value
    return message && conversationOfMessage(message, ownId())
  }

  /** Stores the text, unless the edit has ended: then it is kept only for Undo. */
  protected save(text: string): void {
    const edit = this.#edit
    edit.text = text
    if (editsByMessageId.peek().get(this.#id) === edit) this.store()
  }

  store(): void {
    const edit = this.#edit
    const content = withoutPlaceholders(edit.text)
    const stored = { messageId: this.#id, before: edit.before, content, editedAt: Date.now() }
    void storeDraft({ key: this.key, userId: ownId(), ...stored }).then((isStored) => {
      edit.isUnstored = !isStored
    })
  }

  protected hiddenTextWith(placeholder: string): HiddenText | undefined {
    const { key, text } = this
    const replace = (changed: string): void => {
      text.value = changed
      this.save(changed)
    }
    return text.peek().includes(placeholder) ? { key, text: text.peek(), replace } : undefined
  }
}
