import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import { computed, signal } from '@preact/signals'
import { messages, store } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** A message that comes back at a time. */
export interface OwnReminder {
  readonly id: number
  /** UNIX seconds. */
  readonly at: number
  /** What one wrote to it, in another client perhaps. */
  readonly note: string
  /** One was away for good when its time came. */
  readonly hasFailed: boolean
  /** Undefined until the server has said it. */
  readonly messageId: number | undefined
}

/** Of which messages reminders are: the state that the client begins with does not say it. */
const targets = signal<ReadonlyMap<number, number>>(new Map())

/** The own reminders, the next one first. */
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

/** The text of a reminder is an address, and below it the note as a quotation. */
function noteIn(content: string): string {
  const [, ...quoted] = content.split('\n\n')
  return quoted.join('\n\n').replaceAll(/^> ?/gm, '').trim()
}

/** Asks of which messages the reminders are, and for these messages. */
export async function loadTargets(): Promise<void> {
  const { reminders } = await call(SESSION, declared.getReminders, {})
  targets.value = new Map(
    reminders.map(({ reminder_id: id, reminder_target_message_id: messageId }) => [id, messageId]),
  )
  await messages.fetch([...new Set(targets.value.values())])
}
