import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import { useState } from 'preact/hooks'
import { mayInvite } from '../../capabilities/invitations/inviting.ts'
import { invitePeople } from '../../capabilities/invitations/open.ts'
import { openPerson } from '../../capabilities/users/card.ts'
import { PersonLabel, StatusSign } from '../../capabilities/users/parts/signs.tsx'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { presenceOf, type Presence } from '../../capabilities/presence/state.ts'
import { activePeople } from '../../capabilities/users/state.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { FilterField } from '../../platform/dom/filter-field.tsx'
import { Rows } from '../../platform/list/rows.tsx'
import { Part } from './part.tsx'

const PRESENCE_RANKS: Readonly<Record<Presence, number>> = { active: 0, idle: 1, offline: 2 }

const peopleByPresence = computed(() =>
  activePeople.value
    .filter(({ is_bot }) => !is_bot)
    .map((person) => ({ person, rank: PRESENCE_RANKS[presenceOf(person.user_id)] }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ person }) => person),
)

export function People() {
  const [filter, setFilter] = useState('')
  const query = caseKey(filter.trim())
  const found = peopleByPresence.value.filter(({ full_name }) => caseKey(full_name).includes(query))
  const tools = mayInvite() && (
    <button class="icon-button" aria-label={t().nav.invite} title={t().nav.invite} onClick={invitePeople}>
      <Icon name="plus" size={16} />
    </button>
  )
  return (
    <Part title={tl().panel.people} tools={tools}>
      <FilterField label={tl().panel.findPerson} value={filter} onChange={setFilter} />
      {found.length === 0 ? (
        <p class="note">{t().nav.noMatch}</p>
      ) : (
        <Rows things={found} keyOf={({ user_id }) => user_id} height={ROW_HEIGHT_PIXELS} label={tl().panel.people}>
          {({ user_id }) => <PersonRow userId={user_id} />}
        </Rows>
      )}
    </Part>
  )
}

export const ROW_HEIGHT_PIXELS = 36

export function PersonRow({ userId }: { readonly userId: number }) {
  return (
    <button
      class="person-row"
      data-person={userId}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => openPerson(currentTarget, userId)}
    >
      <PersonLabel userId={userId} />
      <StatusSign userId={userId} />
    </button>
  )
}
