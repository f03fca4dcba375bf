import { t } from '../kernel/strings.ts'
import { Nothing } from '../platform/list/states.tsx'
import { ReminderList } from '../capabilities/reminders/parts/reminders.tsx'
import { ownReminders } from '../capabilities/reminders/state.ts'
import { Header } from './header.tsx'

export function RemindersView() {
  return (
    <>
      <Header title={t().nav.reminders} />
      <div class="view-scroll">
        {ownReminders.value.length === 0 ? (
          <Nothing icon="recent" title={t().later.noReminders} more={t().later.noRemindersMore} />
        ) : (
          <div class="topics">
            <ReminderList />
          </div>
        )}
      </div>
    </>
  )
}
