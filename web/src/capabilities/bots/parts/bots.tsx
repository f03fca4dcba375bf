import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { OpenedList } from '../../../platform/list/opened-list.tsx'
import { Nothing } from '../../../platform/list/states.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { isAdministrator, ownId, userName } from '../../users/state.ts'
import { kindsToMake, managedBots } from '../state.ts'
import { BotDialog } from './bot-dialog.tsx'
import { NewBot } from './new-bot.tsx'

const ROW_PIXELS = 52

/** Bots that the user manages. Administrators can show all bots. */
export function Bots() {
  const [filter, setFilter] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const all = managedBots().filter(({ bot_owner_id: ownerId }) => showsAll || ownerId === ownId())
  const query = caseKey(filter.trim())
  const shown = all.filter(({ full_name: name }) => caseKey(name).includes(query))
  const kinds = kindsToMake()
  return (
    <OpenedList
      label={ta().bots.title}
      things={shown}
      idOf={({ user_id: id }) => id}
      height={ROW_PIXELS}
      row={(bot) => (
        <>
          <Avatar userId={bot.user_id} size={32} />
          <bdi class="listed-name">{bot.full_name}</bdi>
          <span class="note">
            {bot.is_active ? <bdi>{userName(bot.bot_owner_id ?? 0)}</bdi> : ta().bots.deactivated}
          </span>
        </>
      )}
      filter={
        <>
          <FilterField label={ta().bots.find} value={filter} onChange={setFilter} />
          {isAdministrator() && (
            <select
              class="input"
              aria-label={ta().bots.whose}
              value={String(showsAll)}
              onChange={({ currentTarget }) => setShowsAll(currentTarget.value === 'true')}
            >
              <option value="false">{ta().bots.own}</option>
              <option value="true">{ta().bots.all}</option>
            </select>
          )}
        </>
      }
      create={kinds.length > 0 ? ta().bots.create : undefined}
      making={(onClose) => <NewBot kinds={kinds} onClose={onClose} />}
      opened={(id, onClose) => <BotDialog key={id} userId={id} onClose={onClose} />}
    >
      {kinds.length === 0 && <p class="note">{ta().bots.mayNot}</p>}
      {all.length === 0 && <Nothing icon="code" title={ta().bots.none} more={ta().bots.noneMore} />}
      {all.length > 0 && shown.length === 0 && <p class="note">{t().nav.noMatch}</p>}
    </OpenedList>
  )
}
