import { withPart } from '../../platform/dom/lazy.tsx'
import { openMenu } from '../../platform/overlay/menu.tsx'
import { ownId, userName } from './state.ts'

/** Loads the items on first use, to keep the first screen small. */
export function openOwnMenu(from: HTMLElement): void {
  void withPart(import('./own-menu-items.ts'), ({ ownMenuItems }) =>
    openMenu(from, userName(ownId()), ownMenuItems(from)),
  )
}
