import { call } from '@parley/client'
import { community as declared } from '@parley/server/contract'
import { tl } from '../../kernel/later-texts.ts'
import { askConfirmation } from '../../platform/overlay/confirm.tsx'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { lockDownEnd } from './state.ts'

export function askToLockDown(): void {
  askConfirmation({
    text: tl().lockDown.sure,
    action: tl().lockDown.start,
    run: () => void lockDown(),
  })
}

async function lockDown(): Promise<void> {
  if ((await callOrToast(declared.startLockDown, {})) === undefined) return
  offerUndo(tl().lockDown.started, async () => call(SESSION, declared.endLockDown, {}))
}

export async function endLockDown(): Promise<void> {
  const end = lockDownEnd() ?? 0
  if ((await callOrToast(declared.endLockDown, {})) === undefined) return
  const seconds = Math.max(Math.ceil(end - Date.now() / 1_000), declared.MIN_LOCK_DOWN_SECONDS)
  offerUndo(tl().lockDown.ended, async () => call(SESSION, declared.startLockDown, { seconds }))
}
