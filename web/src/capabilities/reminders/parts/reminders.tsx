import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { dueTitle } from '../../../kernel/time.ts'
import { messages, sync } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Link } from '../../../platform/dom/link.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure } from '../../../platform/list/states.tsx'
import { previewOf } from '../../muted-users/state.ts'
import { placeName, placeTitle } from '../../places/title.tsx'
import { ownId } from '../../users/state.ts'
import {
  changeReminder,
  deleteReminder,
  loadReminderTargets,
  ownReminders,
  type KnownReminder,
  type OwnReminder,
} from '../state.ts'
import './reminders.css'

export function ReminderList() {
  const all = ownReminders.value
  const key = `${all.map(({ id }) => id).join()} ${String(sync.isConnected.value)} ${messages.gaps}`
  const { value, hasFailed, again } = useFetched(async () => {
    if (all.length > 0) await loadReminderTargets()
    return true
  }, key)
  return (
    <>
      {hasFailed && <LoadFailure again={again} />}
      <ul>
        {all.map((reminder) => (
          <Row
            key={reminder.id}
            reminder={reminder}
            state={hasFailed ? 'failed' : value === true ? 'loaded' : 'loading'}
          />
        ))}
      </ul>
    </>
  )
}

interface RowProps {
  readonly reminder: OwnReminder
  readonly state: 'loading' | 'loaded' | 'failed'
}

function Row({ reminder, state }: RowProps) {
  const { messageId, dueAtSeconds, note, hasFailed } = reminder
  void messages.arrivals
  const message = messageId === undefined ? undefined : messages.get(messageId)?.value
  const time = dueTitle(dueAtSeconds)
  return (
    <li class="browse-row reminder">
      <span class="browse-text">
        {message === undefined ? (
          state !== 'failed' && <span class="note">{state === 'loaded' ? tl().later.isGone : t().app.loading}</span>
        ) : (
          <ReminderTarget message={message} />
        )}
        {note !== '' && (
          <span class="reminder-note">
            <bdi>{note}</bdi>
          </span>
        )}
        <span class="reminder-time">
          <Icon name="reminders" size={14} />
          {hasFailed ? `${tl().later.hasFailed} · ${time}` : time}
        </span>
      </span>
      {messageId !== undefined && <Tools reminder={{ ...reminder, messageId }} name={reminderName(message, time)} />}
    </li>
  )
}

function reminderName(message: Message | undefined, time: string): string {
  return message === undefined ? time : `${placeName(conversationOfMessage(message, ownId()))}, ${time}`
}

function ReminderTarget({ message }: { readonly message: Message }) {
  const place = conversationOfMessage(message, ownId())
  const { author, text } = previewOf(message)
  return (
    <>
      <Link to={{ ...place, near: message.id }}>{placeTitle(place)}</Link>
      <span class="note reminder-text">
        <bdi>{author}</bdi>: <bdi>{text}</bdi>
      </span>
    </>
  )
}

function Tools({ reminder, name }: { readonly reminder: KnownReminder; readonly name: string }) {
  return (
    <span class="reminder-tools">
      <button
        class="icon-button"
        aria-label={`${tl().later.change}: ${name}`}
        title={tl().later.change}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => changeReminder(reminder, currentTarget)}
      >
        <Icon name="edit" />
      </button>
      <button
        class="icon-button"
        aria-label={`${tl().later.deleteReminder}: ${name}`}
        title={tl().later.deleteReminder}
        onClick={() => void deleteReminder(reminder)}
      >
        <Icon name="delete" />
      </button>
    </span>
  )
}
