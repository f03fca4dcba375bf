import { call } from '@parley/client'
import { mcp as contract } from '@parley/server/contract'
import { keysOf } from '@parley/server/kernel/keys'
import { ta } from '../../../kernel/administration.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { offerUndo } from '../../../platform/undo.ts'
import { allChannels } from '../../channels/state.ts'

type Access = contract.ToolAccess

const changeToolAccess = async (access: Access) => call(SESSION, contract.updateToolAccess, { access })
const changeChannelToolAccess = async (stream_id: number, is_allowed: boolean) =>
  call(SESSION, contract.updateChannelToolAccess, { stream_id, is_allowed })

export function ToolAccessSettings() {
  const { value, hasFailed, again } = useFetched(async (signal) => {
    return call(SESSION, contract.getToolAccess, {}, { signal })
  }, 'tools')
  const [refusal, run] = useRefusal()
  if (hasFailed) return <LoadFailure again={again} />
  if (value === undefined) return <LoadingRows rows={4} />
  const { access, stream_ids: open } = value
  // Reloads from the server, including after Undo.
  const saveWithUndo = async (
    text: string,
    todo: () => Promise<unknown>,
    inverse: () => Promise<unknown>,
  ): Promise<void> => {
    const isDone = await run(todo)
    again()
    if (isDone) offerUndo(text, async () => inverse().finally(again), { isQuiet: true })
  }
  const titles = ta().tools.accesses
  return (
    <div class="form">
      <div class="field">
        <select
          aria-label={ta().tools.access}
          class="input"
          aria-describedby="tool-access-more"
          value={access}
          onChange={({ currentTarget }) => {
            const chosen = keysOf(titles).find((one) => one === currentTarget.value)
            if (chosen === undefined) return
            void saveWithUndo(
              titles[chosen],
              async () => changeToolAccess(chosen),
              async () => changeToolAccess(access),
            )
          }}
        >
          {Object.entries(titles).map(([key, title]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
        <span class="note" id="tool-access-more">
          {ta().tools.more(`${location.origin}/mcp`)}
        </span>
      </div>
      {refusal}
      {access !== 'nothing' && (
        <fieldset class="form">
          <legend>{ta().tools.channels}</legend>
          <ul class="listed">
            {allChannels()
              .filter(({ is_archived: isOver }) => !isOver)
              .map(({ stream_id: id, name, invite_only: isPrivate }) => (
                <li key={id} class="listed-row">
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={open.includes(id)}
                      onChange={({ currentTarget: { checked } }) =>
                        void saveWithUndo(
                          ta().tools.changed(name),
                          async () => changeChannelToolAccess(id, checked),
                          async () => changeChannelToolAccess(id, !checked),
                        )
                      }
                    />
                    <bdi>{name}</bdi>
                  </label>
                  {isPrivate && <span class="note">{ta().tools.isPrivate}</span>}
                </li>
              ))}
          </ul>
        </fieldset>
      )}
    </div>
  )
}
