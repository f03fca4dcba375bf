import type { Command } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { allCapabilities } from '../registry.ts'
import { runWaitingCallbacks } from '../dom/painted.ts'
import { keysOf, type KeyedItem } from './choices.ts'

const IS_MAC = navigator.userAgent.includes('Mac')

const IGNORED_KEYS: ReadonlySet<string> = new Set([
  'Control',
  'Meta',
  'Alt',
  'AltGraph',
  'Shift',
  'CapsLock',
  'Dead',
  'Process',
])

const RESERVED_KEYS: ReadonlySet<string> = new Set(['Tab', 'Shift+Tab', 'Enter', ' ', 'Shift+ ', 'Escape'])

const US_KEY_SIGNS: Readonly<Record<string, string>> = {
  BracketRight: ']}',
  Period: '.>',
  Semicolon: ';:',
  Slash: '/?',
}

/** Deprecated, but the only way to recognize some input methods and layouts. */
const keyCodeOf = ({ keyCode }: { readonly keyCode: number }): number => keyCode

let isLatinLayout = true

/** Returns the key at the same position on a US keyboard if the layout has letters of another script. */
function usKeyOf(event: KeyboardEvent): string | undefined {
  const { key, code, shiftKey } = event
  // Capitals do not count: some layouts of other scripts have Latin capitals.
  if (/^[a-z]$/.test(key)) isLatinLayout = true
  if (/^[a-z]/i.test(key) || event.getModifierState('AltGraph')) return undefined
  const [, letter] = /^Key(.)/.exec(code) ?? []
  // Some systems report the letter's key code for a sign on a letter key, such as the slash on a Hebrew layout.
  const isCodedAsLetter = keyCodeOf(event) === letter?.charCodeAt(0)
  if (isCodedAsLetter || /^([\u0590-\u07FF]|(?![\p{Script=Latin}\p{Script=Common}])[\p{L}\p{M}])/u.test(key))
    isLatinLayout = false
  if (isLatinLayout) return undefined
  return letter?.toLowerCase() ?? (key > '~' ? US_KEY_SIGNS[code]?.charAt(Number(shiftKey)) : undefined)
}

/** Returns, for example, `Ctrl+Shift+k`. Omits Shift if it only selects another character. Empty for modifier keys. */
export function combinationsOf(event: KeyboardEvent): readonly string[] {
  if (IGNORED_KEYS.has(event.key)) return []
  const hasCtrl = IS_MAC ? event.metaKey : event.ctrlKey
  return [usKeyOf(event) ?? [], event.key].flat().map((pressed) => {
    const key = pressed.length === 1 ? pressed.toLowerCase() : pressed
    const isSign = pressed.length === 1 && key === pressed.toUpperCase()
    return [hasCtrl && 'Ctrl', event.altKey && 'Alt', event.shiftKey && !isSign && 'Shift', key]
      .filter(Boolean)
      .join('+')
  })
}

export function isAssignable(combination: string): boolean {
  return !RESERVED_KEYS.has(combination)
}

export function isScrollingKey(event: KeyboardEvent): boolean {
  return /^(Arrow(Up|Down)|Page(Up|Down)|Home|End| |[jk])$/.test(usKeyOf(event) ?? event.key)
}

const KEY_SYMBOLS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }

const MAC_KEY_SYMBOLS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' }

export function keyLabel(combination: string): string {
  return combination
    .split(/\+(?!$)/)
    .map((part) => (IS_MAC ? MAC_KEY_SYMBOLS[part] : undefined) ?? KEY_SYMBOLS[part] ?? keyPartLabel(part))
    .join(IS_MAC ? '' : '+')
}

function keyPartLabel(part: string): string {
  const names: Readonly<Record<string, string>> = t().keys.names
  return names[part] ?? (part.length === 1 ? part.toUpperCase() : part)
}

/** Devices with only a touch screen have no keyboard, so they show no hints about keys. */
const touchOnlyQuery = window.matchMedia('(pointer: coarse) and (hover: none)')

/** @returns undefined if there is no key to hint at */
export function keyHint(combination: string | undefined): string | undefined {
  return combination === undefined || touchOnlyQuery.matches ? undefined : keyLabel(combination)
}

export function keyHintOf(item: KeyedItem): string | undefined {
  return keyHint(keysOf(item)[0])
}

export function titleWithHint(title: string, hint: string | undefined): string {
  return hint === undefined ? title : `${title} (${hint})`
}

export function titleWithKey(title: string, commandId: string): string {
  const command = allCapabilities()
    .flatMap(({ commands = [] }) => commands)
    .find(({ id }) => id === commandId)
  return titleWithHint(title, command && keyHintOf(command))
}

export function availableCommands(): readonly Command[] {
  return allCapabilities()
    .flatMap(({ commands = [] }) => commands)
    .filter(({ when }) => when?.() ?? true)
}

let lastTitle: string | undefined
let isShortcut = false

/** Whether the latest input was a shortcut outside fields, after which more shortcuts are likely. */
export function wasShortcut(): boolean {
  return isShortcut
}

export function recordShortcut(title: string | undefined): void {
  lastTitle = title
  isShortcut = true
}

export function takeShortcut(): string | undefined {
  const taken = lastTitle
  lastTitle = undefined
  return taken
}

export function hasOverlay(): boolean {
  return document.querySelector('dialog[open], [aria-modal], [role=menu]') !== null
}

export function listenForKeys(): void {
  const first = (event: KeyboardEvent): void => {
    // Ignores keys that an input method uses. Safari ends the composition before it reports Enter.
    if (event.isComposing || keyCodeOf(event) === 229) event.stopPropagation()
    else if (!isWriting(document.activeElement)) void runWaitingCallbacks()
    // Reset only after the callbacks, which open the previous shortcut's view. A modifier can begin the next shortcut.
    isShortcut &&= /^(Alt|Control|Meta|Shift)$/.test(event.key)
  }
  window.addEventListener('keydown', first, { capture: true })
  for (const type of ['click', 'popstate']) {
    const reset = ({ isTrusted }: Event): void => {
      // Shortcuts click links, too, but those events are not trusted.
      isShortcut &&= !isTrusted
    }
    window.addEventListener(type, reset, { capture: true })
  }
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return
    const combinations = combinationsOf(event)
    const [combination] = combinations
    if (combination === undefined) return
    // Reads the current focus, which may have moved since the event was dispatched.
    const { activeElement } = document
    if (isWriting(activeElement) && !/^(Ctrl\+|Alt\+|Shift\+Escape$)/.test(combination)) return
    // Checked last, because this check searches the whole page.
    if (hasOverlay()) return
    // Ignores Alt with an arrow key on a select element, whose list it opens.
    if (activeElement instanceof HTMLSelectElement && !combination.startsWith('Ctrl+')) return
    const command = findByKeys(availableCommands(), combinations)
    if (command === undefined || (isTextField(activeElement) && command.yieldsToFields?.() === true)) return
    event.preventDefault()
    if (!isWriting(activeElement)) recordShortcut(command.title())
    command.run()
  })
}

export function findByKeys<Item extends KeyedItem>(
  items: readonly Item[],
  combinations: readonly string[],
): Item | undefined {
  return combinations.flatMap((one) => items.find((item) => keysOf(item).includes(one)) ?? [])[0]
}

/** Whether the element is a field with text. False for checkboxes and selects. */
function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement) return false
  return isWriting(target) && !(target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type))
}

/** Returns where a popup returns the focus: to the field with the caret, or to the element that opened it. */
export function activeFieldOrOpener(opener: HTMLElement): HTMLElement {
  const { activeElement: field } = document
  return field instanceof HTMLElement && isWriting(field) ? field : opener
}

export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
