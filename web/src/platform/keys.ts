import type { Command } from '../kernel/command.ts'
import { allCapabilities } from './registry.ts'

const IS_MAC = navigator.userAgent.includes('Mac')

/** The combination of a key press, as commands name it: `Ctrl+Shift+k`. Shift is not named where it makes another sign. */
export function combinationOf(event: KeyboardEvent): string {
  const hasCtrl = IS_MAC ? event.metaKey : event.ctrlKey
  const isSign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase()
  const modifiers = [hasCtrl && 'Ctrl', event.altKey && 'Alt', event.shiftKey && !isSign && 'Shift']
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return [...modifiers.filter((name) => name !== false), key].join('+')
}

/** How a combination is shown to people. */
export function keyLabel(combination: string): string {
  const ctrl = IS_MAC ? '⌘' : 'Ctrl'
  return combination
    .split('+')
    .map((part) => (part === 'Ctrl' ? ctrl : part.length === 1 ? part.toUpperCase() : part.replace('Arrow', '')))
    .join(IS_MAC ? '' : '+')
}

/** Every command that can be run now. */
export function availableCommands(): readonly Command[] {
  return allCapabilities()
    .flatMap(({ commands = [] }) => commands)
    .filter(({ when }) => when?.() ?? true)
}

/** Runs commands by their keys. Single keys are for writing where there is a field to write in. */
export function listenForKeys(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    if (document.querySelector('dialog[open], [role=menu]') !== null) return
    const combination = combinationOf(event)
    if (isWriting(event.target) && !/^(Ctrl|Alt)\+/.test(combination)) return
    const command = availableCommands().find(({ keys = [] }) => keys.includes(combination))
    if (command === undefined || (command.yieldsToFields === true && isWriting(event.target))) return
    event.preventDefault()
    command.run()
  })
}

/** Whether what has the focus takes text, for which single keys are. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
