import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Failed, Waiting } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { AddPeople, PeopleRows } from '../../users/parts/people-list.tsx'
import { userName } from '../../users/state.ts'
import { addPeople, removePerson } from '../actions.ts'
import { mayAddOthers, mayRemove } from '../rights.ts'
import { channelById } from '../state.ts'
import { askAgain, subscribersOf } from '../subscribers.ts'

export function People({ channelId }: { readonly channelId: number }) {
  const { userIds, failure } = subscribersOf(channelId)
  const [filter, setFilter] = useState('')
  const [refusal, run] = useRefusal()
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const query = caseKey(filter.trim())
  const there = new Set(userIds)
  const shown = [...there]
    .filter((id) => caseKey(userName(id)).includes(query))
    .toSorted((one, other) => userName(one).localeCompare(userName(other)))
  return (
    <>
      {mayAddOthers(channel) && (
        <AddPeople
          label={t().channel.findPerson}
          action={t().channel.addPeople}
          isThere={(id) => there.has(id)}
          add={async (chosen) => run(async () => addPeople(channelId, chosen))}
        />
      )}
      {refusal}
      <FilterField label={t().panel.findPerson} value={filter} onChange={setFilter} />
      <div class="people-list">
        {failure !== undefined && <Failed again={() => askAgain(channelId)} />}
        {userIds === undefined && failure === undefined && <Waiting rows={5} />}
        <PeopleRows
          label={t().place.subscribers(there.size)}
          userIds={shown}
          mayRemove={(userId) => mayRemove(channel, userId)}
          remove={(userId) => void run(async () => removePerson(channelId, userId))}
        />
      </div>
    </>
  )
}
