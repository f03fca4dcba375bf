import { ApiError, call, isEvent } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { loadUnsavedTexts, tl, tu } from '../../../kernel/later-texts.ts'
import { isMessageIn, parseMove, conversationOfMessage } from '../../../kernel/message.ts'
import { isPlace, type Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { storedDraftsOf, storeDraft } from '../../../platform/cache.ts'
import { messages, sync } from '../../../platform/client.ts'
import { keepFocus } from '../../../platform/dom/growing-field.tsx'
import { afterPaint } from '../../../platform/dom/painted.ts'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { reasonOf, trackChange } from '../../../platform/requests.ts'
import { go, shownRoute } from '../../../platform/router.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withLock } from '../../../platform/sync/tabs.ts'
import { offerUndo } from '../../../platform/undo.ts'
import { excessCharacters } from '../../composer/actions.ts'
import { ComposedText, type HiddenText } from '../../composer/composed-text.ts'
import { splitQuote } from '../../composer/composition.ts'
import { Field } from '../../composer/parts/field.tsx'
import { Quote } from '../../composer/parts/quote.tsx'
import { Tools } from '../../composer/parts/tools.tsx'
import { Uploads } from '../../composer/parts/uploads.tsx'
import { Preview } from '../../composer/parts/warnings.tsx'
import { useDroppedFiles } from '../../composer/pasting.ts'
import { continueDraft, currentComposition, focusComposer, isSendKey, restoreUnsentText } from '../../composer/state.ts'
import { warmUpRenderer } from '../../messages/rendering.ts'
import { topicTitle } from '../../places/title.tsx'
import { removePlaceholders } from '../../uploads/state.ts'
import { ownId } from '../../users/state.ts'
import { editPermit } from '../rules.ts'
import { editsByMessageId, endEdit, editKey, openEditor, rawContent, takeFocusRequest, type Edit } from '../state.ts'
import { ChangedText } from './source.tsx'
import './editor.css'

const LIMIT_CHECK_MILLISECONDS = 1_000

let isWatching = false

export async function loadEditor(): Promise<typeof Editor> {
  await loadUnsavedTexts()
  if (!isWatching) watchEdits()
  isWatching = true
  return Editor
}

/** Shows a toast if a message that is being edited leaves the view. */
function watchEdits(): void {
  sync.listen((event) => {
    if (isEvent(event, messageEdits.messageUpdated)) {
      for (const id of event.message_ids) if (editsByMessageId.value.has(id)) reportMove(id, event)
    } else if (isEvent(event, messageEdits.messagesDeleted)) {
      for (const id of event.message_ids ?? []) if (editsByMessageId.value.has(id)) void turnIntoDraft(id, event)
    }
  })
}

function reportMove(id: number, event: messageEdits.MessageUpdate): void {
  const move = parseMove(event)
  const route = shownRoute()
  const message = messages.get(id)?.peek()
  const wasShown = rowOf(id) !== null
  if (move === undefined || !wasShown || route.view === 'not-found' || !isPlace(route) || message === undefined) return
  // The view may have followed the message to its new topic.
  if (isMessageIn(route, message, ownId()) !== false) return
  const { to } = move
  toast(tu().editMoved(topicTitle(to.topic)), { title: tu().goToMessage, run: () => go({ ...to, near: id }) })
}

/** Turns the edited text of a deleted message into a draft of its conversation. */
async function turnIntoDraft(id: number, deletion: messageEdits.MessageDeletion): Promise<void> {
  const edit = editsByMessageId.value.get(id)
  const hadFocus = rowOf(id)?.contains(document.activeElement) === true
  // Moves the focus immediately, because the person may be typing.
  if (hadFocus && edit?.text !== edit?.before) focusComposer()
  const text = edit && (await takeStoredText(id, edit))
  if (text === undefined) return
  restoreUnsentText(placeOf(deletion), text)
  toast(tu().editGone)
  if (hadFocus) afterPaint(putCaretAtEnd)
}

/** Call in a later task, after the composer's field has received the text. */
function putCaretAtEnd(): void {
  const { field } = currentComposition.peek() ?? {}
  if (field === document.activeElement) field?.setSelectionRange(field.value.length, field.value.length)
}

/** Returns the changed text to only one tab: other tabs can have an older or already saved text. */
async function takeStoredText(id: number, edit: Edit): Promise<string | undefined> {
  let taken: { readonly before: string; readonly text: string } | undefined
  await withLock(editKey(id), async () => {
    const stored = (await storedDraftsOf(ownId())).find((one) => 'messageId' in one && one.messageId === id)
    if (stored !== undefined && 'before' in stored) taken = { before: stored.before, text: stored.content }
    else if (edit.isUnstored === true) taken = edit
    await endEdit(id)
  })
  return taken?.text === taken?.before ? undefined : taken?.text
}

function placeOf({ stream_id, topic = '', user_ids = [] }: messageEdits.MessageDeletion): Conversation {
  if (stream_id !== undefined) return { view: 'topic', channelId: stream_id, topic }
  const others = user_ids.filter((user) => user !== ownId())
  return { view: 'direct', userIds: others.length === 0 ? user_ids : others }
}

const rowOf = (id: number): Element | null => document.querySelector(`[data-row="${id}"]`)

export function Editor({ id, edit }: { readonly id: number; readonly edit: Edit }) {
  const form = useRef<HTMLFormElement>(null)
  const writing = editedTextOf(id, edit)
  const [isSaving, setSaving] = useState(false)
  useEditFocus(id, writing)
  useEffect(warmUpRenderer, [])
  const isLate = useIsPastTimeLimit(id)
  const isDropping = useDroppedFiles(writing, form)
  const cancel = (): void => cancelEdit(id, edit, writing)
  const save = async (): Promise<void> => {
    if (isSaving || isLate || excessCharacters(writing.content) > 0) return
    await writing.insertion
    if (writing.isUploading) return writing.queue(() => void save())
    if (edit.text === edit.before) return endEdit(id)
    setSaving(true)
    if (await saveEdit(id, edit)) await endEdit(id)
    else setSaving(false)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    if (isSendKey(event)) void save()
    else if (event.key === 'Escape') {
      event.stopPropagation()
      cancel()
    } else return false
    return true
  }
  return (
    <form
      ref={form}
      class={`editor${isDropping ? ' is-dropping' : ''}`}
      data-drop-area
      onMouseDown={keepFocus}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div class="composer-box">
        {writing.quote.value !== '' && <Quote writing={writing} />}
        <div class="composer-text">
          <Field writing={writing} label={tl().messages.editing} isReadOnly={isSaving} onKey={onKey} />
        </div>
        {writing.hasFiles && <Uploads writing={writing} />}
        {writing.hasPreview.value && <Preview text={writing.content} />}
        {edit.changed !== undefined && <ChangedText text={edit.changed} />}
        {isLate && (
          <p class="note" role="alert">
            {tl().edit.isLate}
          </p>
        )}
        <Tools writing={writing}>
          <div class="composer-end">
            <button class="button" type="button" onClick={cancel}>
              {t().app.cancel}
            </button>
            {isLate ? (
              <button class="button primary" type="button" onClick={() => void continueAsNew(id, edit, writing)}>
                {tl().edit.asNew}
              </button>
            ) : (
              <button class="button primary" type="submit" disabled={isSaving}>
                {edit.changed === undefined ? tl().messages.save : tl().messages.saveAnyway}
              </button>
            )}
          </div>
        </Tools>
      </div>
    </form>
  )
}

/** Whether the time limit for editing has passed, which can happen while the editor is open. */
function useIsPastTimeLimit(id: number): boolean {
  const message = messages.get(id)?.value
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (message === undefined) return undefined
    const update = (): void => setLate(editPermit(message) === 'late')
    update()
    const timer = setInterval(update, LIMIT_CHECK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [message?.timestamp])
  return isLate
}

/** Opens the message's conversation with the text in its composer. */
async function continueAsNew(id: number, edit: Edit, writing: EditedText): Promise<void> {
  await writing.insertion
  if (writing.isUploading) return writing.queue(() => void continueAsNew(id, edit, writing))
  const { conversation } = writing
  if (conversation === undefined) return
  continueDraft(conversation, edit.text)
  await endEdit(id)
  afterPaint(putCaretAtEnd)
}

/** Takes the focus if the edit has just begun, and returns it when the editor closes. */
function useEditFocus(id: number, writing: EditedText): void {
  useLayoutEffect(() => {
    const { field } = writing
    const { activeElement: from } = document
    const row = field?.closest<HTMLElement>('[data-row]')
    if (takeFocusRequest(id)) {
      field?.focus()
      field?.setSelectionRange(field.value.length, field.value.length)
    }
    return () => {
      const { activeElement: now, body } = document
      // Leaves the focus where it is if the user has focused another element.
      if (now !== null && now !== body && field?.form?.contains(now) !== true) return
      const isFromThere = from instanceof HTMLElement && from !== body && from.isConnected
      const back = isFromThere ? from : row
      back?.focus({ preventScroll: true })
    }
  }, [])
}

function cancelEdit(id: number, canceled: Edit, writing: EditedText): void {
  void endEdit(id)
  if (canceled.text === canceled.before) return
  offerUndo(tl().messages.editCanceled, async () => {
    openEditor(id, canceled)
    writing.store()
  })
}

/** If the message changed during editing, records that change instead of saving. @returns whether the edit is saved */
async function saveEdit(id: number, edit: Edit): Promise<boolean> {
  const { text, before } = edit
  const replace = async (content: string, former: string): Promise<unknown> =>
    call(SESSION, messageEdits.updateMessage, {
      message_id: id,
      content,
      prev_content_sha256: await sha256Of(former),
    })
  try {
    await trackChange(replace(text, before))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EXPECTATION_MISMATCH') {
      edit.changed = await rawContent(id)
      edit.before = edit.changed ?? before
      return edit.changed === text
    }
    toast(reasonOf(error))
    return false
  }
  offerUndo(tl().messages.wasEdited, async () => replace(before, text))
  return true
}

/** Undefined without HTTPS, because browsers then cannot compute hashes. */
async function sha256Of(text: string): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Keeps text while its row is outside the window of drawn messages, because its uploads continue. */
const textsByEdit = new WeakMap<Edit, EditedText>()

function editedTextOf(id: number, edit: Edit): EditedText {
  const text = textsByEdit.get(edit) ?? new EditedText(id, edit)
  textsByEdit.set(edit, text)
  return text
}

class EditedText extends ComposedText {
  readonly #id: number
  readonly #edit: Edit

  constructor(id: number, edit: Edit) {
    super()
    this.#id = id
    this.#edit = edit
    const [quote, text] = splitQuote(edit.text)
    this.quote.value = quote
    this.text.value = text
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
    edit.text = this.quote.peek() + text
    if (editsByMessageId.peek().get(this.#id) === edit) this.store()
  }

  store(): void {
    const edit = this.#edit
    const content = removePlaceholders(edit.text)
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
