import { messageEdits } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { ask } from '../../../platform/requests.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { userName } from '../../users/state.ts'
import type { DialogProps } from './dialog-props.ts'

/** Who has read a message, of those who let others know. */
export function Receipts({ message, onClose }: DialogProps) {
  const [ids, setIds] = useState<readonly number[]>()
  useEffect(() => {
    void ask(messageEdits.getReadReceipts, { message_id: message.id }).then((answer) =>
      answer === undefined ? onClose() : setIds(answer.user_ids),
    )
  }, [message.id])
  const names = (ids ?? []).map((id) => ({ id, name: userName(id) }))
  return (
    <Dialog title={t().messages.readBy} onClose={onClose}>
      {ids === undefined && <p class="note">{t().app.loading}</p>}
      {ids !== undefined && <p class="note">{t().messages.readByCount(ids.length)}</p>}
      <ul>
        {names
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map(({ id, name }) => (
            <li key={id} class="browse-row">
              <Avatar userId={id} size={24} />
              <bdi>{name}</bdi>
            </li>
          ))}
      </ul>
    </Dialog>
  )
}
