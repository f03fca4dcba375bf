import { signal } from '@preact/signals'

export interface OpenCard {
  readonly userId: number
  /** Element beside the card, which regains the focus when the card closes. */
  readonly from: HTMLElement
  /** Whether hovering opened the card. Such a card does not take the focus, and closes when the pointer leaves. */
  readonly isHover: boolean
}

export const openedCard = signal<OpenCard | undefined>(undefined)

export function openPerson(from: HTMLElement, userId: number): void {
  openedCard.value = { userId, from, isHover: false }
}

export function closeCard(): void {
  const { value } = openedCard
  openedCard.value = undefined
  if (value?.isHover === false) value.from.focus()
}

/** Delays before a hovered name opens a card, and before the card closes when the pointer leaves. */
const OPEN_DELAY_MILLISECONDS = 500
const CLOSE_DELAY_MILLISECONDS = 250

const PERSON_SELECTOR = '[data-person], .user-mention[data-user-id]'

let hoverTimer: ReturnType<typeof setTimeout> | undefined

export function openCardsOnHover(): void {
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return
    const named = target.closest<HTMLElement>(PERSON_SELECTOR)
    const { value: open } = openedCard
    if (open !== undefined && (named === open.from || target.closest('.person-card') !== null)) clearTimeout(hoverTimer)
    else if (named !== null && open?.isHover !== false)
      startHoverTimer(OPEN_DELAY_MILLISECONDS, () => openHoverCard(named))
    else if (open?.isHover === true) startHoverTimer(CLOSE_DELAY_MILLISECONDS, closeCard)
    else clearTimeout(hoverTimer)
  })
  for (const event of ['pointerdown', 'keydown'] as const)
    document.addEventListener(event, () => clearTimeout(hoverTimer))
}

function startHoverTimer(milliseconds: number, run: () => void): void {
  clearTimeout(hoverTimer)
  hoverTimer = setTimeout(run, milliseconds)
}

function openHoverCard(from: HTMLElement): void {
  const userId = Number(from.dataset['person'] ?? from.dataset['userId'])
  if (userId > 0 && from.isConnected) openedCard.value = { userId, from, isHover: true }
}
