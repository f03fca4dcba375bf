import { useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Rows } from '../../../platform/list/rows.tsx'
import { Failed, Waiting } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PeoplePicker } from '../../users/parts/people-picker.tsx'
import { userName } from '../../users/state.ts'
import { addPeople, removePerson } from '../actions.ts'
import { mayAddOthers, mayRemove } from '../rights.ts'
import { channelById } from '../state.ts'
import { askAgain, subscribersOf } from '../subscribers.ts'

const ROW_PIXELS = 40

/** Who is in a channel; where one may, one adds and removes people. */
export function People({ channelId }: { readonly channelId: number }) {
  const { userIds, failure } = subscribersOf(channelId)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [filter, setFilter] = useState('')
  const [refusal, run] = useRefusal()
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const query = filter.trim().toLowerCase()
  const there = new Set(userIds)
  const shown = [...there]
    .filter((id) => userName(id).toLowerCase().includes(query))
    .toSorted((one, other) => userName(one).localeCompare(userName(other)))
  const add = async (): Promise<void> => {
    if (await run(async () => addPeople(channelId, chosen))) setChosen([])
  }
  return (
    <>
      {mayAddOthers(channel) && (
        <div class="people-add">
          <PeoplePicker
            label={t().channel.findPerson}
            chosen={chosen}
            isThere={(id) => there.has(id)}
            onChange={setChosen}
          />
          {chosen.length > 0 && (
            <button class="button primary" onClick={() => void add()}>
              {t().channel.addPeople(chosen.length)}
            </button>
          )}
        </div>
      )}
      {refusal}
      <FilterField label={t().panel.findPerson} value={filter} onChange={setFilter} />
      <div class="people-list">
        {failure !== undefined && <Failed again={() => askAgain(channelId)} />}
        {userIds === undefined && failure === undefined && <Waiting rows={5} />}
        <Rows things={shown} keyOf={(userId) => userId} height={ROW_PIXELS} label={t().place.subscribers(there.size)}>
          {(userId) => (
            <span class="people-row">
              <Avatar userId={userId} size={24} />
              <bdi>{userName(userId)}</bdi>
              {mayRemove(channel, userId) && (
                <button
                  class="icon-button"
                  aria-label={t().people.remove(userName(userId))}
                  onClick={() => void run(async () => removePerson(channelId, userId))}
                >
                  <Icon name="close" size={16} />
                </button>
              )}
            </span>
          )}
        </Rows>
      </div>
    </>
  )
}
