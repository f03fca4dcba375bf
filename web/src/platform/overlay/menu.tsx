import { useEffect, useRef } from 'preact/hooks'
import { computed, signal } from '@preact/signals'
import type { MenuSign, Point } from '../../kernel/capability.ts'
import type { IconName } from '../../kernel/icons.ts'
import { Icon } from '../dom/icons.tsx'
import { activeFieldOrOpener } from '../keys/keys.ts'
import { useLayer } from '../layers.ts'
import { placeBeside } from './beside.ts'
import './menu.css'

export interface MenuItem {
  readonly id: string
  readonly title: string
  readonly icon?: IconName
  readonly isDangerous?: boolean
  readonly detail?: string
  readonly keyLabel?: string | undefined
  readonly beginsGroup?: boolean
  /** Why the item is disabled. */
  readonly refusal?: string | undefined
  readonly run: () => void
}

interface MenuOptions {
  readonly at?: Point | undefined
  readonly choices?: readonly MenuSign[]
}

interface OpenMenu {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly choices: readonly MenuSign[]
  readonly at: MenuOptions['at']
  readonly from: HTMLElement
  readonly back: HTMLElement
}

/** Puts destructive actions at the end, where nobody chooses them by accident. */
export function dangerousLast<Action extends { readonly isDangerous?: boolean }>(
  actions: readonly Action[],
): readonly Action[] {
  return actions.toSorted((one, other) => Number(one.isDangerous === true) - Number(other.isDangerous === true))
}

const openedMenu = signal<OpenMenu | undefined>(undefined)

/** ID of the list's row to which the open menu belongs. */
export const menuRowId = computed(() => openedMenu.value?.from.closest<HTMLElement>('[data-row]')?.dataset['row'])

export function openMenu(
  from: HTMLElement,
  label: string,
  items: readonly MenuItem[],
  { at, choices = [] }: MenuOptions = {},
): void {
  openedMenu.value = { label, items, choices, at, from, back: activeFieldOrOpener(from) }
}

function closeMenu(): void {
  const { value } = openedMenu
  openedMenu.value = undefined
  value?.back.focus()
}

/** Follows the ARIA menu pattern: arrows move, letters search, Escape closes. */
export function Menus() {
  const list = useRef<HTMLDivElement>(null)
  const menu = openedMenu.value
  useLayer(menu && closeMenu)
  useEffect(() => {
    const element = list.current
    if (menu === undefined || element === null) return undefined
    element.showPopover()
    placeBeside(element, menu.from, menu.at)
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.contains(event.target)) closeMenu()
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [menu])
  if (menu === undefined) return null
  const close = (run: () => void): void => {
    closeMenu()
    run()
  }
  return (
    <div
      ref={list}
      class="menu"
      popover="manual"
      role="menu"
      aria-label={menu.label}
      onKeyDown={(event) => onKey(event, list.current)}
    >
      {menu.choices.length > 0 && (
        <div class="menu-choices" role="group" aria-label={menu.label}>
          {menu.choices.map(({ id, title, sign, run }) => (
            <button
              key={id}
              class="menu-item menu-choice"
              role="menuitem"
              tabIndex={-1}
              aria-label={title}
              title={title}
              onClick={() => close(run)}
            >
              {sign}
            </button>
          ))}
        </div>
      )}
      {menu.items.map((item) => (
        <Item key={item.id} item={item} close={close} />
      ))}
    </div>
  )
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: (run: () => void) => void }) {
  const { title, icon, isDangerous, refusal, detail = refusal, keyLabel, beginsGroup, run } = item
  return (
    <>
      {beginsGroup === true && <div class="menu-line" role="separator" />}
      <button
        role="menuitem"
        tabIndex={-1}
        class={isDangerous === true ? 'menu-item dangerous' : 'menu-item'}
        aria-disabled={refusal !== undefined}
        onClick={() => refusal ?? close(run)}
      >
        {icon !== undefined && <Icon name={icon} size={16} />}
        <span>{title}</span>
        {detail !== undefined && <span class="menu-detail">{detail}</span>}
        {keyLabel !== undefined && <kbd aria-hidden="true">{keyLabel}</kbd>}
      </button>
    </>
  )
}

function onKey(event: KeyboardEvent, list: HTMLElement | null): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const at = items.findIndex((item) => item === document.activeElement)
  const target = itemForKey(event.key, at, items)
  if (event.key === 'Escape' || event.key === 'Tab') closeMenu()
  else if (target === undefined) return
  else target.focus()
  event.preventDefault()
  event.stopPropagation()
}

function itemForKey(key: string, at: number, items: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown' || key === 'ArrowUp') return firstItemOfNextRow(at, items, key === 'ArrowDown' ? 1 : -1)
  if (key === 'ArrowRight') return items[(at + 1) % items.length]
  if (key === 'ArrowLeft') return items.at(at - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const begins = (item: HTMLElement): boolean =>
    (item.textContent || item.title).toLowerCase().startsWith(key.toLowerCase())
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
}

/** Finds the item in the next row; choices side by side form one row. */
function firstItemOfNextRow(at: number, items: readonly HTMLElement[], step: 1 | -1): HTMLElement | undefined {
  const topOf = (item: HTMLElement | undefined): number => item?.getBoundingClientRect().top ?? 0
  let next = at
  do next = (next + step + items.length) % items.length
  while (next !== at && topOf(items[next]) === topOf(items[at]))
  const rest = items.slice(0, next)
  const isFirstOfRow = step === -1 ? rest.findIndex((item) => topOf(item) === topOf(items[next])) : -1
  return items[isFirstOfRow === -1 ? next : isFirstOfRow]
}
