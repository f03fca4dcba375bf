import type { Command } from '../../kernel/command.ts'
import { t } from '../../kernel/strings.ts'
import { allCapabilities } from '../registry.ts'
import { finishBeforePaint } from '../dom/painted.ts'
import { keysOf } from './choices.ts'

const IS_MAC = navigator.userAgent.includes('Mac')

/** Keys that only change others, and those that begin a sign. */
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

/** Keys that one needs to use a page at all, so that they are not to be had for anything else. */
const NEEDED: ReadonlySet<string> = new Set(['Tab', 'Shift+Tab', 'Enter', ' ', 'Shift+ ', 'Escape'])

/**
 * The combination of a key press, as commands name it: `Ctrl+Shift+k`. Shift is not named where it makes another sign.
 * @returns undefined while only keys are held that change others
 */
export function combinationOf(event: KeyboardEvent): string | undefined {
  if (NO_KEYS.has(event.key)) return undefined
  const hasCtrl = IS_MAC ? event.metaKey : event.ctrlKey
  const isSign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase()
  const modifiers = [hasCtrl && 'Ctrl', event.altKey && 'Alt', event.shiftKey && !isSign && 'Shift']
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return [...modifiers.filter((name) => name !== false), key].join('+')
}

/** Whether a command may have this combination. */
export function isUsable(combination: string): boolean {
  return !NEEDED.has(combination)
}

/** Those by which one goes on in a list. */
export const SCROLLING_KEYS = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End| |[jk])$/

/** What stands on keys in every language. */
const SIGNS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }

const MAC_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' }

/** How a combination is shown to people: with the words that stand on keyboards of their language. */
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

/** A title with the key of the command that does the same. */
export function withKey(title: string, commandId: string): string {
  const command = allCapabilities()
    .flatMap(({ commands = [] }) => commands)
    .find(({ id }) => id === commandId)
  const [key] = command === undefined ? [] : keysOf(command)
  return key === undefined ? title : `${title} (${keyLabel(key)})`
}

/** Every command that can be run now. */
export function availableCommands(): readonly Command[] {
  return allCapabilities()
    .flatMap(({ commands = [] }) => commands)
    .filter(({ when }) => when?.() ?? true)
}

/** Runs commands by their keys. Single keys are for writing where there is a field to write in. */
export function listenForKeys(): void {
  const finish = (): void => {
    if (!isWriting(document.activeElement)) void finishBeforePaint()
  }
  window.addEventListener('keydown', finish, { capture: true })
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const combination = combinationOf(event)
    if (combination === undefined) return
    // The target of the event may have lost the focus meanwhile.
    const { activeElement } = document
    if (isWriting(activeElement) && !/^(Ctrl|Alt)\+/.test(combination)) return
    // Behind what most keys end with, since it goes through the whole page.
    if (document.querySelector('dialog[open], [aria-modal], [role=menu]') !== null) return
    // Arrows with Alt open what it offers.
    if (activeElement instanceof HTMLSelectElement && !combination.startsWith('Ctrl+')) return
    const command = availableCommands().find((one) => keysOf(one).includes(combination))
    if (command === undefined || (command.yieldsToFields === true && hasText(activeElement))) return
    event.preventDefault()
    command.run()
  })
}

/** Whether what has the focus has a text of its own, which keys change and bring back. What is checked or chosen has none. */
function hasText(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement) return false
  return isWriting(target) && !(target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type))
}

/** Whether what has the focus takes text, for which single keys are. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
