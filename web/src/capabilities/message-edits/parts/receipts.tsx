import { call } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadingFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { shownName } from '../../muted-users/state.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { isMutedUser } from '../../users/state.ts'
import type { DialogProps } from '../state.ts'

/** Lists the people who read a message, except those who turned off read receipts. */
export function Receipts({ message, onClose }: DialogProps) {
  const { value, hasFailed, again } = useFetched(
    async (signal) => call(SESSION, messageEdits.getReadReceipts, { message_id: message.id }, { signal }),
    message.id,
  )
  const ids = value?.user_ids
  const names = (ids ?? []).map((id) => ({ id, name: shownName(id) }))
  return (
    <Dialog title={t().messages.readBy} onClose={onClose}>
      {hasFailed && <LoadingFailure again={again} />}
      {ids === undefined && !hasFailed && <LoadingRows rows={3} />}
      {ids !== undefined && <p class="note">{t().messages.readByCount(ids.length)}</p>}
      <ul>
        {names
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map(({ id, name }) => (
            <li key={id} class="browse-row">
              {isMutedUser(id) ? <Icon name="mute" size={24} /> : <Avatar userId={id} size={24} />}
              <bdi>{name}</bdi>
            </li>
          ))}
      </ul>
    </Dialog>
  )
}
