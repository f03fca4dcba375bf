/* Bundled with the settings pages: see `APART` in `web/build.js`. */
import { ta } from '../../kernel/administration.ts'
import { tl } from '../../kernel/later-texts.ts'
import type { SettingsGroup } from '../../kernel/setting.ts'
import { timeOfDay } from '../../kernel/time.ts'
import { askToLockDown, endLockDown } from './actions.ts'
import { NewcomerLimits } from './parts/newcomers.tsx'
import { lockDownEnd } from './state.ts'

function LockDown() {
  const end = lockDownEnd()
  if (end === undefined) {
    return (
      <button class="button danger" onClick={askToLockDown}>
        {tl().lockDown.start}
      </button>
    )
  }
  return (
    <>
      <p>{tl().lockDown.banner(timeOfDay(end))}</p>
      <button class="button" onClick={() => void endLockDown()}>
        {tl().lockDown.end}
      </button>
    </>
  )
}

export const communityGroups: readonly SettingsGroup[] = [
  {
    settings: [
      {
        id: 'newcomers',
        kind: 'part',
        title: () => ta().community.newcomers,
        note: () => ta().community.newcomersMore,
        Part: NewcomerLimits,
      },
      {
        id: 'lock-down',
        kind: 'part',
        title: () => ta().community.lockDown,
        note: () => ta().community.lockDownMore,
        Part: LockDown,
      },
    ],
  },
]
