import type { ComponentChildren } from 'preact'
import { call } from '@parley/client'
import { drafts, reminders, scheduledMessages } from '@parley/server/contract'
import { conversationAt } from '../kernel/destination.ts'
import type { Place } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { localTime, short } from '../kernel/time.ts'
import type { KeptDraft } from '../platform/cache.ts'
import { store } from '../platform/client.ts'
import { textOf } from '../platform/dom/html.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { ask } from '../platform/requests.ts'
import { go } from '../platform/router.ts'
import { SESSION } from '../platform/sync/sync.ts'
import { undoable } from '../platform/undo.ts'
import { forgetOld, oldDrafts } from '../capabilities/drafts/old.ts'
import { allDrafts, destinationOfDraft, moveDraft, saveDrafts } from '../capabilities/drafts/state.ts'
import { allOutgoing, type Outgoing } from '../capabilities/messages/outbox.ts'
import { PendingState } from '../capabilities/messages/parts/pending.tsx'
import { placeName, placeTitle } from '../capabilities/places/title.tsx'
import { Header } from './header.tsx'

type Draft = ReturnType<typeof allDrafts>[number]

/** What was begun and not sent, what will be sent, and of what one will be reminded. */
export function WritingView() {
  const waiting = allOutgoing()
  const own = allDrafts().toSorted((one, other) => other.timestamp - one.timestamp)
  const later = byTime(store().read('scheduled_messages'))
  const reminded = byTime(store().read('reminders'))
  return (
    <>
      <Header title={t().nav.writing} />
      <div class="view-scroll">
        {waiting.length + own.length + later.length + reminded.length + oldDrafts.value.length === 0 ? (
          <div class="empty">
            <Icon name="writing" size={40} />
            <strong>{t().writing.empty}</strong>
          </div>
        ) : (
          <div class="topics">
            <Section title={t().writing.outbox}>
              {waiting.map((entry) => (
                <OutboxRow key={entry.key} entry={entry} />
              ))}
            </Section>
            <Section title={t().writing.drafts}>
              {own.map((draft) => (
                <DraftRow key={draft.id} draft={draft} />
              ))}
            </Section>
            <Section title={t().writing.scheduled}>
              {later.map(
                ({ scheduled_message_id: id, content, scheduled_delivery_timestamp: at, failed, ...where }) => (
                  <Row
                    key={id}
                    place={placeOfScheduled(where)}
                    text={failed ? `${t().writing.failed} · ${content}` : content}
                    time={localTime(at)}
                    onDelete={() => void ask(scheduledMessages.deleteScheduledMessage, { scheduled_message_id: id })}
                  />
                ),
              )}
            </Section>
            <Section title={t().writing.reminders}>
              {reminded.map(
                ({ scheduled_message_id: id, rendered_content: html, scheduled_delivery_timestamp: at }) => (
                  <Row
                    key={id}
                    place={undefined}
                    text={textOf(html)}
                    time={localTime(at)}
                    onDelete={() => void ask(reminders.deleteReminder, { reminder_id: id })}
                  />
                ),
              )}
            </Section>
            <Section title={t().writing.old}>
              {oldDrafts.value.map((draft) => (
                <OldDraftRow key={draft.key} draft={draft} />
              ))}
            </Section>
          </div>
        )}
      </div>
    </>
  )
}

function byTime<Timed extends { readonly scheduled_delivery_timestamp: number }>(all: readonly Timed[]): Timed[] {
  return all.toSorted((one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp)
}

function placeOfScheduled({
  to,
  topic,
}: {
  readonly to: number | readonly number[]
  readonly topic?: string | undefined
}): Place {
  return typeof to === 'number' ? { view: 'topic', channelId: to, topic: topic ?? '' } : { view: 'direct', userIds: to }
}

function Section({ title, children }: { readonly title: string; readonly children: readonly ComponentChildren[] }) {
  if (children.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </>
  )
}

interface RowProps {
  readonly place: Place | undefined
  readonly text: string
  readonly time: string
  readonly onDelete: () => void
  readonly children?: ComponentChildren
}

function Row({ place, text, time, onDelete, children }: RowProps) {
  const name = place === undefined ? text : placeName(place)
  return (
    <li class="browse-row">
      <span class="browse-text">
        {place !== undefined && <Link to={place}>{placeTitle(place)}</Link>}
        <span class="note">
          <bdi>{text}</bdi>
        </span>
      </span>
      <span class="note">{time}</span>
      {children}
      <button class="icon-button" aria-label={`${t().writing.delete}: ${name}`} onClick={onDelete}>
        <Icon name="delete" />
      </button>
    </li>
  )
}

/** A message that waits for a connection, or was refused. */
function OutboxRow({ entry }: { readonly entry: Outgoing }) {
  return (
    <li class="browse-row outbox-row">
      <span class="browse-text">
        <Link to={entry.place}>{placeTitle(entry.place)}</Link>
        <span class="note">
          <bdi>{entry.content}</bdi>
        </span>
      </span>
      <PendingState entry={entry} />
    </li>
  )
}

/** A text whose place another took. */
function OldDraftRow({ draft }: { readonly draft: KeptDraft }) {
  const place = conversationAt(draft.destination)
  const restore = (): void => {
    forgetOld(draft)
    moveDraft(draft.destination, draft.destination, draft.content)
    saveDrafts()
    if (place !== undefined) go(place)
  }
  return (
    <Row
      place={place}
      text={draft.content}
      time={draft.editedAt === 0 ? '' : short(draft.editedAt / 1000)}
      onDelete={() => forgetOld(draft)}
    >
      <button class="button" onClick={restore}>
        {t().writing.restore}
      </button>
    </Row>
  )
}

function DraftRow({ draft }: { readonly draft: Draft }) {
  const remove = async (): Promise<void> => {
    if ((await ask(drafts.deleteDraft, { draft_id: draft.id })) === undefined) return
    const { type, to, topic, content, timestamp } = draft
    const again = { type, to: [...to], topic, content, timestamp }
    undoable(t().writing.deleted, async () => call(SESSION, drafts.createDrafts, { drafts: [again] }))
  }
  return (
    <Row
      place={conversationAt(destinationOfDraft(draft))}
      text={draft.content}
      time={short(draft.timestamp)}
      onDelete={() => void remove()}
    />
  )
}
