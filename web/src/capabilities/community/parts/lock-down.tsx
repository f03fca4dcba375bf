import { tl } from '../../../kernel/later-texts.ts'
import { timeOfDay } from '../../../kernel/time.ts'
import { endLockDown } from '../actions.ts'
import { isModerator } from '../../users/state.ts'
import { lockDownEnd } from '../state.ts'
import './community.css'

/** Shown to everyone, at the top of every view. */
export function LockDownBanner() {
  const end = lockDownEnd()
  if (end === undefined) return null
  return (
    <div class="lock-down" role="status">
      <span>{tl().lockDown.banner(timeOfDay(end))}</span>
      {isModerator() && (
        <button class="button" onClick={() => void endLockDown()}>
          {tl().lockDown.end}
        </button>
      )}
    </div>
  )
}
