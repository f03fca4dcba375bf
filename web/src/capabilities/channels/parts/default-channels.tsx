import { call } from '@parley/client'
import { channels } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { AddRow } from '../../../platform/settings/add-row.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { offerUndo } from '../../../platform/undo.ts'
import { allChannels, channelName } from '../state.ts'

const addDefaultChannel = async (stream_id: number) => call(SESSION, channels.addDefaultChannel, { stream_id })
const removeDefaultChannel = async (stream_id: number) => call(SESSION, channels.removeDefaultChannel, { stream_id })

export function DefaultChannels() {
  const [chosen, setChosen] = useState('')
  const [refusal, run] = useRefusal()
  const ids = store().read('realm_default_streams')
  const all = allChannels()
  const others = all.filter(
    ({ stream_id: id, invite_only: isPrivate, is_archived: isOver }) => !isPrivate && !isOver && !ids.includes(id),
  )
  const append = async (): Promise<void> => {
    const id = Number(chosen)
    if (!(await run(async () => addDefaultChannel(id)))) return
    setChosen('')
    offerUndo(ta().content.defaultAdded(channelName(id)), async () => removeDefaultChannel(id))
  }
  const take = async (id: number, name: string): Promise<void> => {
    if (await run(async () => removeDefaultChannel(id)))
      offerUndo(ta().content.defaultRemoved(name), async () => addDefaultChannel(id))
  }
  return (
    <div class="form">
      {ids.length === 0 && <p class="note">{ta().content.noDefaults}</p>}
      <ul class="listed" aria-label={ta().content.defaultsAll}>
        {all
          .filter(({ stream_id: id }) => ids.includes(id))
          .map(({ stream_id: id, name }) => (
            <li key={id} class="listed-row">
              <Icon name="hash" size={16} />
              <bdi class="listed-name">{name}</bdi>
              <button
                class="icon-button"
                aria-label={ta().content.removeDefault(name)}
                onClick={() => void take(id, name)}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
      </ul>
      <AddRow action={ta().content.addDefaultIt} onAdd={() => void append()}>
        <select
          class="input"
          required
          aria-label={ta().content.addDefault}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          <option value="">{ta().content.addDefault}</option>
          {others.map(({ stream_id: id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
      </AddRow>
      {refusal}
    </div>
  )
}
