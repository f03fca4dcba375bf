import { useEffect, useState } from 'preact/hooks'
import { conversationOfMessage, type Message } from '../kernel/message.ts'
import { t } from '../kernel/strings.ts'
import { localTime } from '../kernel/time.ts'
import { messages, sync } from '../platform/client.ts'
import { textOf } from '../platform/dom/html.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { placeName, placeTitle } from '../capabilities/places/title.tsx'
import { changeReminder, deleteReminder, type KnownReminder } from '../capabilities/reminders/changes.ts'
import { loadTargets, ownReminders, type OwnReminder } from '../capabilities/reminders/state.ts'
import { ownId } from '../capabilities/users/state.ts'
import { Header } from './header.tsx'
import './reminders.css'

/** Of what one will be reminded, the next one first. */
export function RemindersView() {
  const all = ownReminders.value
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const isConnected = sync.isConnected.value
  useEffect(() => {
    if (all.length === 0) return
    loadTargets().then(
      () => setState('loaded'),
      () => setState('failed'),
    )
  }, [all.map(({ id }) => id).join(), isConnected])
  return (
    <>
      <Header title={t().nav.reminders} />
      <div class="view-scroll">
        {all.length === 0 ? (
          <div class="empty">
            <Icon name="recent" size={40} />
            <strong>{t().later.noReminders}</strong>
            <span>{t().later.noRemindersMore}</span>
          </div>
        ) : (
          <div class="topics">
            {state === 'failed' && <p role="alert">{t().app.failed}</p>}
            <ul>
              {all.map((reminder) => (
                <Row key={reminder.id} reminder={reminder} isLoaded={state === 'loaded'} />
              ))}
            </ul>
          </div>
        )}
      </div>
    </>
  )
}

function Row({ reminder, isLoaded }: { readonly reminder: OwnReminder; readonly isLoaded: boolean }) {
  const { messageId, at, note, hasFailed } = reminder
  void messages.arrivals
  const message = messageId === undefined ? undefined : messages.get(messageId)?.value
  const time = localTime(at)
  return (
    <li class="browse-row reminder">
      <span class="browse-text">
        {message === undefined ? (
          <span class="note">{isLoaded ? t().later.isGone : t().app.loading}</span>
        ) : (
          <Reminded message={message} />
        )}
        {note !== '' && (
          <span class="reminder-note">
            <bdi>{note}</bdi>
          </span>
        )}
        <span class="reminder-time">
          <Icon name="recent" size={14} />
          {hasFailed ? `${t().later.hasFailed} · ${time}` : time}
        </span>
      </span>
      {messageId !== undefined && <Tools reminder={{ ...reminder, messageId }} name={nameOf(message, time)} />}
    </li>
  )
}

function nameOf(message: Message | undefined, time: string): string {
  return message === undefined ? time : `${placeName(conversationOfMessage(message, ownId()))}, ${time}`
}

function Reminded({ message }: { readonly message: Message }) {
  const place = conversationOfMessage(message, ownId())
  return (
    <>
      <Link to={{ ...place, near: message.id }}>{placeTitle(place)}</Link>
      <span class="note reminder-text">
        <bdi>{message.sender_full_name}</bdi>: <bdi>{textOf(message.content) || t().messages.noText}</bdi>
      </span>
    </>
  )
}

function Tools({ reminder, name }: { readonly reminder: KnownReminder; readonly name: string }) {
  return (
    <span class="reminder-tools">
      <button
        class="icon-button"
        aria-label={`${t().later.change}: ${name}`}
        title={t().later.change}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => changeReminder(reminder, currentTarget)}
      >
        <Icon name="edit" />
      </button>
      <button
        class="icon-button"
        aria-label={`${t().later.deleteReminder}: ${name}`}
        title={t().later.deleteReminder}
        onClick={() => void deleteReminder(reminder)}
      >
        <Icon name="delete" />
      </button>
    </span>
  )
}
