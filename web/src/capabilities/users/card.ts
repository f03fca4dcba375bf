import { signal } from '@preact/signals'

/** The card of a person that is open. */
export interface OpenCard {
  readonly userId: number
  /** Beside what it is; gets the focus back. */
  readonly from: HTMLElement
  /** The pointer rests on the name: the focus stays where it is, and the card goes when the pointer does. */
  readonly isHover: boolean
}

export const openCard = signal<OpenCard | undefined>(undefined)

/** Opens the card of a person beside the name or picture that asks for it. */
export function openPerson(from: HTMLElement, userId: number): void {
  openCard.value = { userId, from, isHover: false }
}

export function closeCard(): void {
  const { value } = openCard
  openCard.value = undefined
  if (value?.isHover === false) value.from.focus()
}

/** How long the pointer rests on a name until its card opens, and may be away until it closes. */
const REST_MILLISECONDS = 500
const AWAY_MILLISECONDS = 250

/** What a person is meant by, wherever it stands. */
const NAMED = '[data-person], .user-mention[data-user-id]'

let timer: ReturnType<typeof setTimeout> | undefined

/** Opens the card of the person on whose name the pointer rests. */
export function watchPointer(): void {
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return
    const named = target.closest<HTMLElement>(NAMED)
    const { value: open } = openCard
    if (open !== undefined && (named === open.from || target.closest('.person-card') !== null)) clearTimeout(timer)
    else if (named !== null && open?.isHover !== false) after(REST_MILLISECONDS, () => rest(named))
    else if (open?.isHover === true) after(AWAY_MILLISECONDS, closeCard)
    else clearTimeout(timer)
  })
  for (const event of ['pointerdown', 'keydown'] as const) document.addEventListener(event, () => clearTimeout(timer))
}

function after(milliseconds: number, run: () => void): void {
  clearTimeout(timer)
  timer = setTimeout(run, milliseconds)
}

function rest(from: HTMLElement): void {
  const userId = Number(from.dataset['person'] ?? from.dataset['userId'])
  if (userId > 0 && from.isConnected) openCard.value = { userId, from, isHover: true }
}
