import type { SaveResult } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { keysOf, ownKeys, defaultKeysOf, type KeyedItem } from '../../platform/keys/choices.ts'
import { allCapabilities } from '../../platform/registry.ts'

export interface MappedCommand extends KeyedItem {
  readonly title: string
  readonly present: readonly string[]
  readonly isOwn: boolean
}

export interface MappedGroup {
  readonly id: 'everywhere' | 'message'
  readonly title: string
  readonly entries: readonly MappedCommand[]
}

export function keyMap(words = ''): readonly MappedGroup[] {
  const capabilities = allCapabilities()
  const commands = capabilities.flatMap(({ commands: all = [] }) => all)
  const actions = capabilities.flatMap(({ messageActions = [] }) => messageActions)
  const typed = words.trim().toLowerCase()
  const mapped = (keyed: KeyedItem & { title: () => string }): MappedCommand => ({
    id: keyed.id,
    keys: keyed.keys ?? [],
    title: keyed.title(),
    present: keysOf(keyed),
    isOwn: keyed.id in ownKeys.read(),
  })
  const found = (all: readonly (KeyedItem & { title: () => string })[]): MappedCommand[] =>
    all.map(mapped).filter(({ title }) => title.toLowerCase().includes(typed))
  return [
    { id: 'everywhere', title: t().keys.everywhere, entries: found(commands) },
    { id: 'message', title: t().keys.onMessage, entries: found(actions) },
  ]
}

/** Commands that share a default key do not conflict, because they apply in different places. */
export function conflictingTitles(combination: string, one: MappedCommand): readonly string[] {
  const isUsual = defaultKeysOf(one).includes(combination)
  return keyMap()
    .flatMap(({ entries }) => entries)
    .filter((other) => other.id !== one.id && other.present.includes(combination))
    .filter((other) => !isUsual || !defaultKeysOf(other).includes(combination))
    .map(({ title }) => title)
}

export async function saveKeys(keyed: KeyedItem, keys: readonly string[] | undefined): Promise<SaveResult> {
  const { [keyed.id]: _, ...others } = ownKeys.read()
  const isUsual = keys === undefined || keys.join(' ') === defaultKeysOf(keyed).join(' ')
  return ownKeys.write(isUsual ? others : { ...others, [keyed.id]: keys })
}
