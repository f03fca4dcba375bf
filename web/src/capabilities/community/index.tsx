import type { Capability } from '../../kernel/capability.ts'
import { tl } from '../../kernel/later-texts.ts'
import type { Place } from '../../kernel/route.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { askToLockDown, endLockDown } from './actions.ts'
import { LockDownBanner } from './parts/lock-down.tsx'
import { isModerator } from '../users/state.ts'
import { followSlowMode, lockDownEnd, maySetSlowMode, openedSlowPlace } from './state.ts'

const SlowModeDialog = lazily(
  async () => (await import('./parts/slow-mode.tsx')).SlowModeDialog,
  () => null,
)

function openSlowMode(place: Place): void {
  if (place.view === 'channel-feed') openedSlowPlace.value = { channelId: place.channelId, topic: undefined }
  if (place.view === 'topic') openedSlowPlace.value = { channelId: place.channelId, topic: place.topic }
}

/** Loaded after the first paint. */
export const community: Capability = {
  name: 'community',
  begin: followSlowMode,
  commands: [
    {
      id: 'community.lockDown',
      title: () => (lockDownEnd() === undefined ? tl().lockDown.start : tl().lockDown.end),
      icon: 'lock',
      when: isModerator,
      run: () => (lockDownEnd() === undefined ? askToLockDown() : void endLockDown()),
    },
  ],
  placeActions: [
    {
      id: 'community.slow',
      title: () => tl().slowMode.set,
      icon: 'recent',
      when: (place) => (place.view === 'channel-feed' || place.view === 'topic') && maySetSlowMode(place.channelId),
      run: openSlowMode,
    },
  ],
  overlays: [LockDownBanner, () => (openedSlowPlace.value === undefined ? null : <SlowModeDialog />)],
}
