import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { timeOfDay } from '../../kernel/time.ts'
import { keyHintOf } from '../../platform/keys/keys.ts'
import type { MenuItem } from '../../platform/overlay/menu.tsx'
import { chooseTime } from '../../platform/overlay/times.ts'
import { go } from '../../platform/router.ts'
import { openKeyMap } from '../keys/index.tsx'
import { pausedUntil } from '../notifications/wanted.ts'
import { signOut } from '../sessions/actions.ts'
import { ownId } from './state.ts'
import { changeStatus, isStatusDialogOpen, showsPresence, statusOf } from './status.ts'

const SHORTCUTS_COMMAND = { id: 'keys.help', keys: ['?'] }

export function ownMenuItems(from: HTMLElement): readonly MenuItem[] {
  return [
    ...statusItems(),
    pauseItem(from),
    {
      id: 'presence',
      title: showsPresence.read() ? t().people.hide : t().people.show,
      icon: 'moon',
      run: () => void showsPresence.write(!showsPresence.read()),
    },
    {
      id: 'profile',
      title: tl().ownAccount.title,
      icon: 'person',
      run: () => go({ view: 'settings', section: 'profile' }),
    },
    { id: 'settings', title: t().nav.settings, icon: 'settings', run: () => go({ view: 'settings' }) },
    ...keysItem(),
    { id: 'out', title: tl().signIn.signOut, icon: 'back', run: () => void signOut() },
  ]
}

/** Empty on devices without a keyboard. */
function keysItem(): readonly MenuItem[] {
  const keyLabel = keyHintOf(SHORTCUTS_COMMAND)
  if (keyLabel === undefined) return []
  return [{ id: 'keys', title: t().keys.help, icon: 'keyboard', keyLabel, run: openKeyMap }]
}

function statusItems(): readonly MenuItem[] {
  const set: MenuItem = {
    id: 'status',
    title: t().people.setStatus,
    icon: 'smile',
    run: () => {
      isStatusDialogOpen.value = true
    },
  }
  if (statusOf(ownId()) === undefined) return [set]
  return [
    set,
    { id: 'clear', title: t().people.clearStatus, icon: 'close', run: () => void changeStatus('', undefined, 0) },
  ]
}

function pauseItem(from: HTMLElement): MenuItem {
  const until = pausedUntil.read()
  if (until > Date.now() / 1000) {
    return {
      id: 'resume',
      title: t().people.resume(timeOfDay(until)),
      icon: 'bell',
      run: () => void pausedUntil.write(0),
    }
  }
  return {
    id: 'pause',
    title: t().people.pause,
    icon: 'bell',
    run: () => chooseTime(from, t().people.pause, (seconds) => void pausedUntil.write(seconds)),
  }
}
