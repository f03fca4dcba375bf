import { ApiError, call, isEvent } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isMessageIn, moveFromEvent } from '../../../kernel/message.ts'
import { isPlace, type Conversation } from '../../../kernel/route.ts'
import { loadUnsavedTexts, tu } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { storeDraft, storedDraftsOf } from '../../../platform/cache.ts'
import { GrowingField, keepFocus } from '../../../platform/dom/growing-field.tsx'
import { afterPaint } from '../../../platform/dom/painted.ts'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { messages, sync } from '../../../platform/client.ts'
import { go, shownRoute } from '../../../platform/router.ts'
import { reasonOf, trackChange } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withLock } from '../../../platform/sync/tabs.ts'
import { offerUndo } from '../../../platform/undo.ts'
import { currentComposition, focusComposer, isSendKey, restoreUnsentText } from '../../composer/state.ts'
import { topicTitle } from '../../places/title.tsx'
import { ownId } from '../../users/state.ts'
import { editsByMessageId, endEdit, editKey, openEditor, rawContent, takeFocusRequest, type Edit } from '../state.ts'
import { ChangedText } from './source.tsx'

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
  const move = moveFromEvent(event)
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
  if (!hadFocus) return
  // Waits for the composer's field, which gets the text in the next task.
  afterPaint(() => {
    const { field } = currentComposition.peek() ?? {}
    if (field === document.activeElement) field?.setSelectionRange(field.value.length, field.value.length)
  })
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
  const field = useRef<HTMLTextAreaElement>(null)
  const [isSaving, setSaving] = useState(false)
  const [begunWith] = useState(edit.text)
  const [text, setText] = useState(begunWith)
  useLayoutEffect(() => {
    const element = field.current
    const { activeElement: from } = document
    const row = element?.closest<HTMLElement>('[data-row]')
    if (takeFocusRequest(id)) {
      element?.focus()
      element?.setSelectionRange(element.value.length, element.value.length)
    }
    return () => {
      const { activeElement: now, body } = document
      // Leaves the focus where it is if the user has focused another element.
      if (now !== null && now !== body && element?.form?.contains(now) !== true) return
      const isFromThere = from instanceof HTMLElement && from !== body && from.isConnected
      const back = isFromThere ? from : row
      back?.focus({ preventScroll: true })
    }
  }, [])
  const cancel = (): void => cancelEdit(id, edit)
  const save = async (): Promise<void> => {
    if (isSaving) return
    if (edit.text === edit.before) return endEdit(id)
    setSaving(true)
    if (await saveEdit(id, edit)) await endEdit(id)
    else setSaving(false)
  }
  return (
    <form
      class="editor"
      onMouseDown={keepFocus}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <GrowingField text={text}>
        <textarea
          ref={field}
          class="input editor-field"
          dir="auto"
          aria-label={t().messages.editing}
          defaultValue={begunWith}
          readOnly={isSaving}
          onInput={({ currentTarget }) => {
            recordEditedText(id, edit, currentTarget.value)
            setText(edit.text)
          }}
          onKeyDown={(event) => {
            if (isSendKey(event)) {
              event.preventDefault()
              void save()
            } else if (event.key === 'Escape') {
              event.preventDefault()
              event.stopPropagation()
              cancel()
            }
          }}
        />
      </GrowingField>
      {edit.changed !== undefined && <ChangedText text={edit.changed} />}
      <div class="editor-actions">
        <button class="button primary" type="submit" disabled={isSaving}>
          {edit.changed === undefined ? t().messages.save : t().messages.saveAnyway}
        </button>
        <button class="button" type="button" onClick={cancel}>
          {t().app.cancel}
        </button>
      </div>
    </form>
  )
}

function recordEditedText(id: number, edit: Edit, text: string): void {
  edit.text = text
  const { before } = edit
  const stored = { key: editKey(id), userId: ownId(), messageId: id, before, content: text, editedAt: Date.now() }
  void storeDraft(stored).then((isStored) => {
    edit.isUnstored = !isStored
  })
}

function cancelEdit(id: number, canceled: Edit): void {
  void endEdit(id)
  if (canceled.text === canceled.before) return
  offerUndo(t().messages.editCanceled, async () => {
    openEditor(id, canceled)
    recordEditedText(id, canceled, canceled.text)
  })
}

/** If the message changed during editing, records that change instead of saving. @returns whether the edit is saved */
async function saveEdit(id: number, edit: Edit): Promise<boolean> {
  const { text, before } = edit
  const replace = async (content: string, former: string): Promise<unknown> =>
    call(SESSION, messageEdits.updateMessage, {
      message_id: id,
      content,
      prev_content_sha256: await digestOf(former),
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
  offerUndo(t().messages.wasEdited, async () => replace(before, text))
  return true
}

/** Undefined without HTTPS, because browsers then cannot compute hashes. */
async function digestOf(text: string): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
