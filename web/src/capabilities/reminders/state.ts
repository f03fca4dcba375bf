import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import { computed, signal } from '@preact/signals'
import { messages, store } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

export interface OwnReminder {
  readonly id: number
  /** UNIX seconds. */
  readonly at: number
  /** The user's note, possibly from another client. */
  readonly note: string
  readonly hasFailed: boolean
  /** Undefined until loaded. */
  readonly messageId: number | undefined
}

/** Message IDs of reminders, which the register response lacks. */
const targets = signal<ReadonlyMap<number, number>>(new Map())

/** The user's reminders, next one first. */
export const ownReminders = computed((): readonly OwnReminder[] =>
  store()
    .read('reminders')
    .map(({ scheduled_message_id: id, scheduled_delivery_timestamp: at, content, failed }) => ({
      id,
      at,
      note: noteIn(content),
      hasFailed: failed,
      messageId: targets.value.get(id),
    }))
    .toSorted((one, other) => one.at - other.at),
)

/** Extracts the note, which is quoted below the link in a reminder's text. */
function noteIn(content: string): string {
  const [, ...quoted] = content.split('\n\n')
  return quoted.join('\n\n').replaceAll(/^> ?/gm, '').trim()
}

export async function loadTargets(): Promise<void> {
  const { reminders } = await call(SESSION, declared.getReminders, {})
  targets.value = new Map(
    reminders.map(({ reminder_id: id, reminder_target_message_id: messageId }) => [id, messageId]),
  )
  await messages.fetch([...new Set(targets.value.values())])
}
