import { mutedUsers } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { openMenu, type MenuItem } from '../../platform/overlay/menu.tsx'
import { ask } from '../../platform/requests.ts'
import { go } from '../../platform/router.ts'
import { isMutedUser, ownId, userName } from './state.ts'

/** Opens what one can do with a person, beside the name or picture that asks for it. */
export function openPerson(from: HTMLElement, userId: number): void {
  const name = userName(userId)
  const isMuted = isMutedUser(userId)
  const items: MenuItem[] = [
    {
      id: 'direct',
      title: userId === ownId() ? t().place.notes : t().people.write,
      icon: 'send',
      run: () => go({ view: 'direct', userIds: [userId] }),
    },
    {
      id: 'search',
      title: t().people.messagesOf,
      icon: 'search',
      run: () => go({ view: 'search', query: `sender:"${name}"` }),
    },
  ]
  const mute: MenuItem = {
    id: 'mute',
    title: isMuted ? t().people.unmute : t().people.mute,
    icon: 'mute',
    run: () => void ask(isMuted ? mutedUsers.unmuteUser : mutedUsers.muteUser, { muted_user_id: userId }),
  }
  openMenu(from, name, userId === ownId() ? items : [...items, mute])
}
