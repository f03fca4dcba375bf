import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { EmptyState } from '../platform/list/states.tsx'
import { ReminderList } from '../capabilities/reminders/parts/reminders.tsx'
import { ownReminders } from '../capabilities/reminders/state.ts'
import { Header } from './header.tsx'

export function RemindersView() {
  return (
    <>
      <Header title={t().nav.reminders} />
      <div class="view-scroll">
        {ownReminders.value.length === 0 ? (
          <EmptyState icon="reminders" title={tl().later.noReminders} more={tl().later.noRemindersMore} />
        ) : (
          <div class="topics">
            <ReminderList />
          </div>
        )}
      </div>
    </>
  )
}
