import { messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { ask } from '../../../platform/requests.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { userName } from '../../users/state.ts'

const readers = signal<readonly number[] | undefined>(undefined)

/** Shows who has read a message. */
export async function openReceipts({ id }: Message): Promise<void> {
  readers.value = (await ask(messageEdits.getReadReceipts, { message_id: id }))?.user_ids
}

/** The one dialog that shows who has read a message. */
export function ReceiptsDialog() {
  const ids = readers.value
  if (ids === undefined) return null
  return (
    <Dialog
      title={t().messages.readBy}
      onClose={() => {
        readers.value = undefined
      }}
    >
      {ids.length === 0 && <p class="note">{t().messages.readByNone}</p>}
      <ul>
        {ids.map((id) => (
          <li key={id} class="browse-row">
            <Avatar userId={id} size={24} />
            <bdi>{userName(id)}</bdi>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
