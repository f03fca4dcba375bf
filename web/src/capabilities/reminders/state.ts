import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import { computed, effect, signal } from '@preact/signals'
import type { Point } from '../../kernel/capability.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { dueTime } from '../../kernel/time.ts'
import { messages, store, sync } from '../../platform/client.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'

export interface OwnReminder {
  readonly id: number
  /** UNIX seconds. */
  readonly dueAtSeconds: number
  readonly note: string
  readonly hasFailed: boolean
  readonly messageId: number | undefined
}

/** Requested separately, because the register response lacks message IDs. */
const messageIdByReminderId = signal<ReadonlyMap<number, number>>(new Map())

export const ownReminders = computed((): readonly OwnReminder[] =>
  store()
    .read('reminders')
    .map(({ scheduled_message_id: id, scheduled_delivery_timestamp: dueAtSeconds, content, failed }) => ({
      id,
      dueAtSeconds,
      note: extractNote(content),
      hasFailed: failed,
      messageId: messageIdByReminderId.value.get(id),
    }))
    .toSorted((one, other) => one.dueAtSeconds - other.dueAtSeconds),
)

/** The note is quoted below the link. */
function extractNote(content: string): string {
  const [, ...quoted] = content.split('\n\n')
  return quoted.join('\n\n').replaceAll(/^> ?/gm, '').trim()
}

export async function loadReminderTargets(): Promise<void> {
  await loadTargetIds()
  await messages.fetch([...new Set(messageIdByReminderId.value.values())])
}

async function loadTargetIds(): Promise<void> {
  const { reminders } = await call(SESSION, declared.getReminders, {})
  messageIdByReminderId.value = new Map(
    reminders.map(({ reminder_id: id, reminder_target_message_id: messageId }) => [id, messageId]),
  )
}

/** Requests the message IDs of reminders whose messages are unknown, once for each new reminder. */
export function followReminderTargets(): void {
  let requested = ''
  effect(() => {
    const unknown = ownReminders.value.filter(({ messageId }) => messageId === undefined)
    const ids = unknown.map(({ id }) => id).join()
    if (ids === '' || ids === requested || !sync.isConnected.value) return
    requested = ids
    loadTargetIds().catch(() => {
      requested = ''
    })
  })
}

const reminderInput = (messageId: number, at: number, note: string) => ({
  message_id: messageId,
  scheduled_delivery_timestamp: at,
  ...(note === '' ? {} : { note }),
})

interface ReminderOptions {
  readonly at?: Point | undefined
  readonly done?: (() => void) | undefined
}

export function chooseReminder(messageId: number, from: HTMLElement, { at, done }: ReminderOptions): void {
  const choose = (seconds: number): void => {
    void createReminder(messageId, seconds).then((isSet) => isSet && done?.())
  }
  chooseTime(from, t().later.remind, choose, at)
}

async function createReminder(messageId: number, seconds: number): Promise<boolean> {
  const answer = await callOrToast(declared.createReminder, reminderInput(messageId, seconds, ''))
  if (answer === undefined) return false
  const { reminder_id } = answer
  offerUndo(tl().later.reminded(dueTime(seconds)), async () => call(SESSION, declared.deleteReminder, { reminder_id }))
  return true
}

export type KnownReminder = OwnReminder & { readonly messageId: number }

export function changeReminder(reminder: KnownReminder, from: HTMLElement): void {
  chooseTime(from, tl().later.change, (seconds) => void rescheduleReminder(reminder, seconds))
}

/** The server cannot change a reminder's time, so this creates a new reminder and then deletes the old one. */
async function rescheduleReminder(
  { id, messageId, dueAtSeconds, note }: KnownReminder,
  seconds: number,
): Promise<void> {
  const made = await callOrToast(declared.createReminder, reminderInput(messageId, seconds, note))
  if (made === undefined) return
  const { reminder_id } = made
  if ((await callOrToast(declared.deleteReminder, { reminder_id: id })) === undefined) return
  offerUndo(tl().later.reminded(dueTime(seconds)), async () => {
    await call(SESSION, declared.createReminder, reminderInput(messageId, dueAtSeconds, note))
    await call(SESSION, declared.deleteReminder, { reminder_id })
  })
}

/** Undo works until the reminder is due. */
export async function deleteReminder({ id, messageId, dueAtSeconds, note }: KnownReminder): Promise<void> {
  if ((await callOrToast(declared.deleteReminder, { reminder_id: id })) === undefined) return
  offerUndo(tl().later.reminderDeleted, async () =>
    call(SESSION, declared.createReminder, reminderInput(messageId, dueAtSeconds, note)),
  )
}
