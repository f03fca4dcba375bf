import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { scheduledMessages } from '@parley/server/contract'
import { conversationAt, type Destination } from '../kernel/destination.ts'
import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { dueTitle, shortTimestamp } from '../kernel/time.ts'
import type { StoredDraft } from '../platform/cache.ts'
import { store } from '../platform/client.ts'
import { GrowingField } from '../platform/dom/growing-field.tsx'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { EmptyState } from '../platform/list/states.tsx'
import { afterPaint } from '../platform/dom/painted.ts'
import { chooseTime } from '../platform/overlay/times.ts'
import { go } from '../platform/router.ts'
import { openComposer, focusComposer, isSendKey } from '../capabilities/composer/state.ts'
import {
  deleteDraft,
  deleteOldDraft,
  deleteOldDraftWithoutUndo,
  listedDrafts,
  type ListedDraft,
} from '../capabilities/drafts/listed.ts'
import { oldDrafts } from '../capabilities/drafts/stored.ts'
import { moveDraft, saveDrafts } from '../capabilities/drafts/state.ts'
import { outgoingMessages, type OutgoingMessage } from '../capabilities/messages/outbox.ts'
import { moveToEdge } from '../capabilities/messages/open-list.ts'
import { PendingState } from '../capabilities/messages/parts/pending.tsx'
import { placeName, placeTitle } from '../capabilities/places/title.tsx'
import { ReminderList } from '../capabilities/reminders/parts/reminders.tsx'
import { ownReminders } from '../capabilities/reminders/state.ts'
import {
  cancelScheduledMessage,
  changeScheduledTime,
  discardScheduledEdit,
  editedTexts,
  editScheduledText,
  placeOfScheduled,
  saveScheduledText,
  sendScheduledNow,
} from '../capabilities/scheduled-messages/actions.ts'
import { Header } from './header.tsx'
import './writing.css'

type ScheduledMessage = scheduledMessages.ScheduledMessage

function useFocusedRow(): void {
  useEffect(() => {
    if (document.activeElement === document.body) moveToEdge('first')
  }, [])
}

export function ScheduledView() {
  useFocusedRow()
  const rows = scheduledRows()
  return (
    <>
      <Header title={t().nav.scheduled} />
      <div class="view-scroll">
        {rows.length === 0 ? (
          <EmptyState icon="scheduled" title={tl().writing.noScheduled} more={tl().writing.noScheduledMore} />
        ) : (
          <ul class="topics">{rows}</ul>
        )}
      </div>
    </>
  )
}

export function WritingView() {
  // Saves newly typed text first, so that the list includes it.
  useEffect(() => void saveDrafts(), [])
  useFocusedRow()
  const waiting = outgoingMessages().map((entry) => <OutboxRow key={entry.key} entry={entry} />)
  const own = listedDrafts().map((draft) => <DraftRow key={draft.key} draft={draft} />)
  const later = scheduledRows()
  const isReminded = ownReminders.value.length > 0
  const hasOnlyDrafts = waiting.length + later.length + oldDrafts.value.length === 0 && !isReminded
  const old = oldDrafts.value.map((draft) => <OldDraftRow key={draft.key} draft={draft} />)
  return (
    <>
      <Header title={t().nav.writing} />
      <div class="view-scroll">
        {waiting.length + own.length + later.length + old.length === 0 && !isReminded ? (
          <EmptyState icon="writing" title={tl().writing.empty} more={tl().writing.emptyMore} />
        ) : (
          <div class="topics">
            <Section title={tl().writing.outbox}>{waiting}</Section>
            <Section title={tl().writing.drafts} isTitleHidden={hasOnlyDrafts}>
              {own}
            </Section>
            <Section title={tl().writing.scheduled}>{later}</Section>
            {isReminded && (
              <>
                <h2 class="writing-head">{t().nav.reminders}</h2>
                <ReminderList />
              </>
            )}
            <Section title={tl().writing.old}>{old}</Section>
          </div>
        )}
      </div>
    </>
  )
}

function scheduledRows(): readonly ComponentChildren[] {
  return store()
    .read('scheduled_messages')
    .toSorted((one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp)
    .map((message) => <ScheduledRow key={message.scheduled_message_id} message={message} />)
}

interface SectionProps {
  readonly title: string
  /** Whether the title of the view makes the title of this section redundant. */
  readonly isTitleHidden?: boolean
  readonly children: readonly ComponentChildren[]
}

function Section({ title, isTitleHidden = false, children }: SectionProps) {
  if (children.length === 0) return null
  return (
    <>
      <h2 class={isTitleHidden ? 'visually-hidden' : 'writing-head'}>{title}</h2>
      <ul>{children}</ul>
    </>
  )
}

interface RowProps {
  readonly rowKey: string
  readonly destination: Destination
  readonly text: string
  readonly time: string
  readonly note?: string | undefined
  /** Replaces the text. */
  readonly editor?: ComponentChildren
  readonly onDelete: () => void
  readonly children?: ComponentChildren
}

function Row({ rowKey, destination, text, time, note, editor, onDelete, children }: RowProps) {
  const place = conversationAt(destination)
  return (
    <li class="writing-row">
      <div class="writing-text">
        {place === undefined ? (
          <em class="note">{tl().writing.nowhere}</em>
        ) : (
          <Link to={place} row={rowKey}>
            {placeTitle(place)}
          </Link>
        )}
        {editor ?? <bdi class="writing-content">{text}</bdi>}
        <span class="note writing-note">
          {note !== undefined && <strong>{note}</strong>}
          <span>{time}</span>
        </span>
      </div>
      <div class="writing-actions">
        {children}
        <button
          class="icon-button"
          aria-label={`${tl().writing.delete}: ${place === undefined ? text : placeName(place)}`}
          title={tl().writing.delete}
          onClick={onDelete}
        >
          <Icon name="delete" />
        </button>
      </div>
    </li>
  )
}

function OutboxRow({ entry }: { readonly entry: OutgoingMessage }) {
  return (
    <li class="writing-row">
      <div class="writing-text">
        <Link to={entry.place}>{placeTitle(entry.place)}</Link>
        <bdi class="writing-content">{entry.content}</bdi>
      </div>
      <PendingState entry={entry} />
    </li>
  )
}

/** Opens the draft's conversation, or edits the draft on this page if no conversation has been chosen. */
function openDestination(destination: Destination): void {
  const place = conversationAt(destination)
  if (place === undefined) openComposer(destination)
  else go(place)
  afterPaint(focusComposer)
}

function DraftRow({ draft }: { readonly draft: ListedDraft }) {
  const { destination, content, editedAt, isHereOnly } = draft
  return (
    <Row
      rowKey={draft.key}
      destination={destination}
      text={content}
      time={shortTimestamp(editedAt / 1000)}
      note={isHereOnly ? tl().writing.hereOnly : undefined}
      onDelete={() => void deleteDraft(draft)}
    >
      <button class="button" onClick={() => openDestination(destination)}>
        {tl().writing.continue}
      </button>
    </Row>
  )
}

function ScheduledRow({ message }: { readonly message: ScheduledMessage }) {
  const { content, scheduled_delivery_timestamp: at, failed } = message
  const isEdited = editedTexts.value.has(message.scheduled_message_id)
  const place = placeOfScheduled(message)
  return (
    <Row
      rowKey={String(message.scheduled_message_id)}
      destination={place}
      text={content}
      time={dueTitle(at)}
      note={failed ? tl().writing.failed : undefined}
      editor={isEdited ? <ScheduledEditor message={message} /> : undefined}
      onDelete={() => void cancelScheduledMessage(message)}
    >
      {isEdited ? (
        <>
          <button class="button primary" onClick={() => void saveScheduledText(message)}>
            {tl().messages.save}
          </button>
          <button class="button" onClick={() => discardScheduledEdit(message)}>
            {t().app.cancel}
          </button>
        </>
      ) : (
        <>
          <button class="button" onClick={() => editScheduledText(message, content)}>
            {t().messages.edit}
          </button>
          <button class="button" onClick={() => void sendScheduledNow(message)}>
            {tl().writing.sendNow}
          </button>
        </>
      )}
      <button
        class="icon-button"
        aria-label={tl().later.change}
        title={tl().later.change}
        onClick={({ currentTarget }) =>
          chooseTime(currentTarget, tl().later.change, (seconds) => void changeScheduledTime(message, seconds))
        }
      >
        <Icon name="scheduled" />
      </button>
    </Row>
  )
}

function ScheduledEditor({ message }: { readonly message: ScheduledMessage }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const text = editedTexts.value.get(message.scheduled_message_id) ?? message.content
  return (
    <GrowingField text={text}>
      <textarea
        ref={field}
        class="input"
        aria-label={tl().messages.editing}
        value={text}
        onInput={({ currentTarget }) => editScheduledText(message, currentTarget.value)}
        onKeyDown={(event) => {
          if (isSendKey(event)) void saveScheduledText(message)
          else if (event.key === 'Escape') discardScheduledEdit(message)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
    </GrowingField>
  )
}

function OldDraftRow({ draft }: { readonly draft: StoredDraft }) {
  const { destination, content, editedAt } = draft
  const restore = (): void => {
    deleteOldDraftWithoutUndo(draft)
    moveDraft(destination, destination, content)
    void saveDrafts()
    openDestination(destination)
  }
  return (
    <Row
      rowKey={draft.key}
      destination={destination}
      text={content}
      time={editedAt === 0 ? '' : shortTimestamp(editedAt / 1000)}
      note={tl().writing.hereOnly}
      onDelete={() => deleteOldDraft(draft)}
    >
      <button class="button" onClick={restore}>
        {tl().writing.restore}
      </button>
    </Row>
  )
}
