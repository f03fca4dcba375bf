import type { PlaceAction } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { openMenu } from '../../platform/overlay/menu.tsx'
import { allCapabilities } from '../../platform/registry.ts'
import { placeName } from './title.tsx'

export function actionsOf(place: Place): readonly PlaceAction[] {
  return allCapabilities()
    .flatMap(({ placeActions = [] }) => placeActions)
    .filter(({ when }) => when?.(place) ?? true)
}

export function openPlaceMenu(
  from: HTMLElement,
  place: Place,
  actions: readonly PlaceAction[] = actionsOf(place),
): void {
  if (actions.length === 0) return
  const items = actions.map(({ id, title, icon, isDangerous, run }) => ({
    id,
    title: title(place),
    icon,
    isDangerous: isDangerous === true,
    run: () => run(place, from),
  }))
  openMenu(from, placeName(place), items)
}
