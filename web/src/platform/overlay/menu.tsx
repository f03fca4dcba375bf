import { useEffect, useRef } from 'preact/hooks'
import { signal } from '@preact/signals'
import type { IconName } from '../../kernel/icons.ts'
import { Icon } from '../dom/icons.tsx'
import './menu.css'

export interface MenuItem {
  readonly id: string
  readonly title: string
  readonly icon?: IconName
  readonly isDangerous?: boolean
  readonly run: () => void
}

interface OpenMenu {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly x: number
  readonly y: number
  /** Gets the focus back. */
  readonly from: HTMLElement
}

const open = signal<OpenMenu | undefined>(undefined)

/** Opens a menu beside the element that asks for it. */
export function openMenu(from: HTMLElement, label: string, items: readonly MenuItem[]): void {
  const box = from.getBoundingClientRect()
  open.value = { label, items, x: box.left, y: box.bottom + 4, from }
}

function closeMenu(): void {
  const { value } = open
  open.value = undefined
  value?.from.focus()
}

const EDGE = 8

/** The one menu that is open, by the pattern of a menu: arrows move, a letter finds, Escape closes. */
export function Menus() {
  const list = useRef<HTMLDivElement>(null)
  const menu = open.value
  useEffect(() => {
    const element = list.current
    if (menu === undefined || element === null) return undefined
    element.showPopover()
    const { width, height } = element.getBoundingClientRect()
    element.style.left = `${Math.max(EDGE, Math.min(menu.x, window.innerWidth - width - EDGE))}px`
    element.style.top = `${Math.max(EDGE, Math.min(menu.y, window.innerHeight - height - EDGE))}px`
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.contains(event.target)) closeMenu()
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [menu])
  if (menu === undefined) return null
  return (
    <div
      ref={list}
      class="menu"
      popover="manual"
      role="menu"
      aria-label={menu.label}
      onKeyDown={(event) => onKey(event, list.current)}
    >
      {menu.items.map(({ id, title, icon, isDangerous, run }) => (
        <button
          key={id}
          role="menuitem"
          tabIndex={-1}
          class={isDangerous === true ? 'menu-item dangerous' : 'menu-item'}
          onClick={() => {
            closeMenu()
            run()
          }}
        >
          {icon !== undefined && <Icon name={icon} size={16} />}
          <span>{title}</span>
        </button>
      ))}
    </div>
  )
}

function onKey(event: KeyboardEvent, list: HTMLElement | null): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const at = items.findIndex((item) => item === document.activeElement)
  const target = targetOf(event.key, at, items)
  if (event.key === 'Escape' || event.key === 'Tab') closeMenu()
  else if (target === undefined) return
  else target.focus()
  event.preventDefault()
  event.stopPropagation()
}

function targetOf(key: string, at: number, items: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const begins = (item: HTMLElement): boolean => item.textContent.toLowerCase().startsWith(key.toLowerCase())
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
}
