import { t } from '../../kernel/strings.ts'
import { openMenu } from '../../platform/overlay/menu.tsx'
import { go } from '../../platform/router.ts'
import { signOut } from '../sessions/actions.ts'
import { ownId, userName } from './state.ts'

/** Opens what is one's own beside the element that asks for it. */
export function openOwnMenu(from: HTMLElement): void {
  openMenu(from, userName(ownId()), [
    { id: 'settings', title: t().nav.settings, icon: 'settings', run: () => go({ view: 'settings' }) },
    { id: 'out', title: t().signIn.signOut, icon: 'back', run: () => void signOut() },
  ])
}
