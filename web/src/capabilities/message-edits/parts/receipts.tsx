import { call } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { PeopleNames } from '../../users/parts/people-list.tsx'
import type { DialogProps } from '../state.ts'

/** Lists the people who read a message, except those who turned off read receipts. */
export function ReadReceiptsDialog({ message, onClose }: DialogProps) {
  const { value, hasFailed, again } = useFetched(
    async (signal) => call(SESSION, messageEdits.getReadReceipts, { message_id: message.id }, { signal }),
    message.id,
  )
  const ids = value?.user_ids
  return (
    <Dialog title={t().messages.readBy} onClose={onClose}>
      {hasFailed && <LoadFailure again={again} />}
      {ids === undefined && !hasFailed && <LoadingRows rows={3} />}
      {ids !== undefined && (
        <>
          <p class="note">{tl().messages.readByCount(ids.length)}</p>
          <PeopleNames userIds={ids} />
        </>
      )}
    </Dialog>
  )
}
