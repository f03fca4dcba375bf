import { useLayoutEffect, useRef } from 'preact/hooks'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useLayer } from '../../../platform/layers.ts'
import { placeBeside } from '../../../platform/overlay/beside.ts'
import { allCapabilities } from '../../../platform/registry.ts'
import { closeCard, openedCard, type OpenCard } from '../card.ts'
import { userName } from '../state.ts'
import { PersonAbout } from './about.tsx'

export function PersonCard() {
  const { value: card } = openedCard
  return card === undefined ? null : <Card key={`${card.userId}-${String(card.isHover)}`} {...card} />
}

function Card({ userId, from, isHover }: OpenCard) {
  const box = useRef<HTMLDivElement>(null)
  // Back must not close a card opened by hovering.
  useLayer(isHover ? undefined : closeCard)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    element.showPopover()
    placeBeside(element, from)
    if (!isHover) element.querySelector<HTMLElement>('button, a')?.focus()
    const outside = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !element.contains(target)) closeCard()
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      closeCard()
    }
    // Moves the card when content that loads later makes it taller.
    const grown = new ResizeObserver(() => placeBeside(element, from))
    grown.observe(element)
    document.addEventListener('pointerdown', outside, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      grown.disconnect()
      document.removeEventListener('pointerdown', outside, true)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
  return (
    <div ref={box} class="person-card" popover="manual" role="dialog" aria-label={userName(userId)}>
      <PersonAbout userId={userId} />
      <Actions userId={userId} />
    </div>
  )
}

function Actions({ userId }: { readonly userId: number }) {
  void store().read('muted_users')
  const actions = allCapabilities()
    .flatMap(({ personActions = [] }) => personActions)
    .filter(({ when }) => when?.(userId) ?? true)
  return (
    <div class="person-actions">
      {actions.map(({ id, title, icon, run }) => (
        <button
          key={id}
          class="button"
          onClick={() => {
            closeCard()
            run(userId)
          }}
        >
          <Icon name={icon} size={16} />
          {title(userId)}
        </button>
      ))}
    </div>
  )
}
