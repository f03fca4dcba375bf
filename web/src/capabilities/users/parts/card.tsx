import { useLayoutEffect, useRef } from 'preact/hooks'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useLayer } from '../../../platform/layers.ts'
import { placeAt } from '../../../platform/overlay/beside.ts'
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
    const place = createPlacer(element, from, isHover)
    place()
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
    const grown = new ResizeObserver(place)
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

const MARGIN_PIXELS = 8

/**
 * Returns a function that places the card above or below the message where it was opened, so that it covers neither the
 * message nor the name. If the message is too tall, the card is beside the name. A card that opened on hover stays next
 * to the name, so that the pointer can reach it.
 */
function createPlacer(card: HTMLElement, from: HTMLElement, isHover: boolean): () => void {
  // Measured once, because the list may rerender the name while the card is open.
  const name = from.getBoundingClientRect()
  const { top, bottom } = isHover ? name : (from.closest('[data-row]') ?? from).getBoundingClientRect()
  return () => {
    const { width, height } = card.getBoundingClientRect()
    const [above, below] = [top - height - MARGIN_PIXELS, bottom + MARGIN_PIXELS]
    const isMirrored = getComputedStyle(card).direction === 'rtl'
    const isBesideName = above < 0 && below + height > window.innerHeight
    if (isBesideName)
      placeAt(card, { x: isMirrored ? name.left - width - MARGIN_PIXELS : name.right + MARGIN_PIXELS, y: name.top })
    else placeAt(card, { x: isMirrored ? name.right - width : name.left, y: above < 0 ? below : above })
  }
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
