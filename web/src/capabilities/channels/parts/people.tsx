import { call } from '@parley/client'
import { channels } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { ask, reasonOf } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { ranked } from '../../../kernel/ranking.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { activePeople } from '../../users/state.ts'
import { channelName } from '../state.ts'

const open = signal<number | undefined>(undefined)

/** Shows who is in a channel, and lets others be added. */
export function openPeople(channelId: number): void {
  open.value = channelId
}

/** The one dialog of the people of a channel. */
export function PeopleDialog() {
  const channelId = open.value
  return channelId === undefined ? null : <People key={channelId} channelId={channelId} />
}

function People({ channelId }: { readonly channelId: number }) {
  const [filter, setFilter] = useState('')
  const [subscribers, setSubscribers] = useState<ReadonlySet<number>>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    call(SESSION, channels.getSubscribers, { stream_id: channelId }).then(
      (answer) => setSubscribers(new Set(answer.subscribers)),
      (error: unknown) => setFailure(reasonOf(error)),
    )
  }, [channelId])
  const add = async (userId: number): Promise<void> => {
    const given = { subscriptions: [{ name: channelName(channelId) }], principals: [userId] }
    if ((await ask(channels.subscribe, given)) !== undefined) setSubscribers(new Set([...(subscribers ?? []), userId]))
  }
  const found = ranked(activePeople.value, filter.trim().toLowerCase(), (person) => person.full_name)
  const shown =
    filter.trim() === '' ? activePeople.value.filter(({ user_id }) => subscribers?.has(user_id) === true) : found
  return (
    <Dialog
      title={t().channel.peopleOf(channelName(channelId))}
      onClose={() => {
        open.value = undefined
      }}
    >
      <input
        class="input"
        type="search"
        aria-label={t().channel.findPerson}
        placeholder={t().channel.findPerson}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {failure !== undefined && <p role="alert">{failure}</p>}
      <ul>
        {subscribers !== undefined &&
          shown.map(({ user_id, full_name: name }) => (
            <li key={user_id} class="browse-row">
              <Avatar userId={user_id} size={24} />
              <span class="browse-text">
                <bdi>{name}</bdi>
              </span>
              {!subscribers.has(user_id) && (
                <button class="button" aria-label={`${t().channel.add}: ${name}`} onClick={() => void add(user_id)}>
                  {t().channel.add}
                </button>
              )}
            </li>
          ))}
      </ul>
    </Dialog>
  )
}
