import type { PlaceAction } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { isWide } from '../../platform/frame.ts'
import { dangerousLast, openMenu } from '../../platform/overlay/menu.tsx'
import { allCapabilities } from '../../platform/registry.ts'
import { placeName } from './title.tsx'
import './tools.css'

interface PlaceToolsProps {
  readonly place: Place
  /** If several headers are on screen, labels include the conversation, and only the menu is in the tab order. */
  readonly isOneOfMany?: boolean
}

export function PlaceTools({ place, isOneOfMany = false }: PlaceToolsProps) {
  const actions = availableActions(place)
  if (actions.length === 0) return null
  const named = (title: string): string => (isOneOfMany ? `${title}: ${placeName(place)}` : title)
  return (
    <>
      {actions
        .filter(({ isQuick }) => isQuick === true)
        .map((action) => {
          const { id, icon, isLabeled = false, isOn, run } = action
          const title = action.title(place)
          const hasLabel = isLabeled && !isOneOfMany && isWide.value
          return (
            <button
              key={id}
              class={hasLabel ? 'button quiet place-quick' : 'icon-button place-quick'}
              data-action={id}
              tabIndex={isOneOfMany ? -1 : 0}
              aria-label={named(title)}
              title={title}
              aria-pressed={isOn?.(place)}
              onClick={(event) => run(place, event.currentTarget)}
            >
              <Icon name={icon} />
              {hasLabel && title}
            </button>
          )
        })}
      <button
        class="icon-button"
        aria-label={named(t().app.more)}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openPlaceMenu(currentTarget, place, actions)}
      >
        <Icon name="more" />
      </button>
    </>
  )
}

export function HeaderParts({ place }: { readonly place: Place }) {
  return <>{allCapabilities().map(({ headerPart }) => headerPart?.(place))}</>
}

export function availableActions(place: Place): readonly PlaceAction[] {
  return allCapabilities()
    .flatMap(({ placeActions = [] }) => placeActions)
    .filter(({ when }) => when?.(place) ?? true)
}

export function openPlaceMenu(
  from: HTMLElement,
  place: Place,
  actions: readonly PlaceAction[] = availableActions(place),
): void {
  if (actions.length === 0) return
  const items = dangerousLast(actions).map(({ id, title, icon, isDangerous = false, run }) => ({
    id,
    title: title(place),
    icon,
    isDangerous,
    beginsGroup: isDangerous,
    run: () => run(place, from),
  }))
  openMenu(from, placeName(place), items)
}
