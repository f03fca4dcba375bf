import { computed } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { tl } from '../../kernel/later-texts.ts'
import { upcomingTime } from '../../kernel/time.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { followReminderTargets, ownReminders } from './state.ts'

/** The earliest reminder of each message, in UNIX seconds. */
const dueAtByMessageId = computed(() => {
  const pending = ownReminders.value.filter(({ hasFailed }) => !hasFailed)
  return new Map(pending.toReversed().map(({ messageId, dueAtSeconds }) => [messageId, dueAtSeconds]))
})

/** Marks messages with reminders. Loaded after the first paint. */
export const reminderMarks: Capability = {
  name: 'reminder-marks',
  begin: followReminderTargets,
  messageFooter: ({ id }) => {
    const dueAt = dueAtByMessageId.value.get(id)
    return dueAt === undefined ? undefined : <ReminderMark dueAtSeconds={dueAt} />
  },
}

function ReminderMark({ dueAtSeconds }: { readonly dueAtSeconds: number }) {
  const name = tl().later.reminderAt(upcomingTime(dueAtSeconds))
  return (
    <span class="message-mark" role="img" aria-label={name} title={name}>
      <Icon name="reminders" size={14} />
    </span>
  )
}
