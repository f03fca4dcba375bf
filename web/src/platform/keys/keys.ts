import type { Command } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { allCapabilities } from '../registry.ts'
import { finishBeforePaint } from '../dom/painted.ts'
import { keysOf } from './choices.ts'

const IS_MAC = navigator.userAgent.includes('Mac')

const NO_KEYS: ReadonlySet<string> = new Set([
  'Control',
  'Meta',
  'Alt',
  'AltGraph',
  'Shift',
  'CapsLock',
  'Dead',
  'Process',
])

const NEEDED: ReadonlySet<string> = new Set(['Tab', 'Shift+Tab', 'Enter', ' ', 'Shift+ ', 'Escape'])

/** Returns `Ctrl+Shift+k`, without Shift if it only selects another character, and undefined for modifiers. */
export function combinationOf(event: KeyboardEvent): string | undefined {
  if (NO_KEYS.has(event.key)) return undefined
  const hasCtrl = IS_MAC ? event.metaKey : event.ctrlKey
  const isSign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase()
  const modifiers = [hasCtrl && 'Ctrl', event.altKey && 'Alt', event.shiftKey && !isSign && 'Shift']
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return [...modifiers.filter((name) => name !== false), key].join('+')
}

export function isUsable(combination: string): boolean {
  return !NEEDED.has(combination)
}

export const SCROLLING_KEYS = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End| |[jk])$/

const SIGNS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }

const MAC_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' }

export function keyLabel(combination: string): string {
  return combination
    .split(/\+(?!$)/)
    .map((part) => (IS_MAC ? MAC_SIGNS[part] : undefined) ?? SIGNS[part] ?? nameOf(part))
    .join(IS_MAC ? '' : '+')
}

function nameOf(part: string): string {
  const names: Readonly<Record<string, string>> = t().keys.names
  return names[part] ?? (part.length === 1 ? part.toUpperCase() : part)
}

export function withKey(title: string, commandId: string): string {
  const command = allCapabilities()
    .flatMap(({ commands = [] }) => commands)
    .find(({ id }) => id === commandId)
  const [key] = command === undefined ? [] : keysOf(command)
  return key === undefined ? title : `${title} (${keyLabel(key)})`
}

export function availableCommands(): readonly Command[] {
  return allCapabilities()
    .flatMap(({ commands = [] }) => commands)
    .filter(({ when }) => when?.() ?? true)
}

export function listenForKeys(): void {
  const finish = (): void => {
    if (!isWriting(document.activeElement)) void finishBeforePaint()
  }
  window.addEventListener('keydown', finish, { capture: true })
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const combination = combinationOf(event)
    if (combination === undefined) return
    // The focus may have moved since the event was dispatched.
    const { activeElement } = document
    if (isWriting(activeElement) && !/^(Ctrl|Alt)\+/.test(combination)) return
    // Checked last, because this check searches the whole page.
    if (document.querySelector('dialog[open], [aria-modal], [role=menu]') !== null) return
    // Alt with arrows opens a select.
    if (activeElement instanceof HTMLSelectElement && !combination.startsWith('Ctrl+')) return
    const command = availableCommands().find((one) => keysOf(one).includes(combination))
    if (command === undefined || (command.yieldsToFields === true && hasText(activeElement))) return
    event.preventDefault()
    command.run()
  })
}

/** False for checkboxes and selects. */
function hasText(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement) return false
  return isWriting(target) && !(target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type))
}

export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
