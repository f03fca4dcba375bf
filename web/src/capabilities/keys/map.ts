import { tl } from '../../kernel/later-texts.ts'
import type { SaveResult } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { keysOf, ownKeys, defaultKeysOf, type KeyedItem } from '../../platform/keys/choices.ts'
import { allCapabilities } from '../../platform/registry.ts'
import { FORMAT_KEYS } from '../composer/formats.ts'
import { sendsOnEnter } from '../composer/state.ts'

export interface MappedCommand extends KeyedItem {
  readonly title: string
  readonly present: readonly string[]
  readonly isOwn: boolean
}

type GroupId = 'everywhere' | 'writing' | 'lists' | 'message' | 'inbox' | 'triage'

export interface MappedGroup {
  readonly id: GroupId
  readonly title: string
  readonly entries: readonly MappedCommand[]
}

type TitledItem = KeyedItem & { readonly title: () => string }

/** Groups of commands that work only in some views, by the first part of their IDs. */
const GROUP_BY_ID_PREFIX: Readonly<Record<string, GroupId>> = {
  composer: 'writing',
  messages: 'lists',
  flags: 'lists',
  inbox: 'inbox',
  triage: 'triage',
}

/** Commands that work everywhere, most frequently used first. Others follow. */
const FREQUENT_COMMAND_IDS = [
  'palette.open',
  'go.nextUnread',
  'go.inbox',
  'go.search',
  'undo',
  'navigation.filter',
  'go.triage',
  'go.recent',
  'go.feed',
  'go.writing',
  'go.nextDirect',
]

function groupOf({ id }: KeyedItem): GroupId {
  return GROUP_BY_ID_PREFIX[id.split('.')[0] ?? ''] ?? 'everywhere'
}

function frequencyRank({ id }: KeyedItem): number {
  return FREQUENT_COMMAND_IDS.includes(id) ? FREQUENT_COMMAND_IDS.indexOf(id) : FREQUENT_COMMAND_IDS.length
}

/** Keys of text fields, which cannot be changed. */
function fixedWritingKeys(): readonly TitledItem[] {
  const [send, newLine] = sendsOnEnter() ? [['Enter', 'Ctrl+Enter'], ['Shift+Enter']] : [['Ctrl+Enter'], ['Enter']]
  const formats = Object.entries(FORMAT_KEYS).map(([key, name]) => ({
    id: `format.${name}`,
    title: () => t().format[name],
    keys: [key],
  }))
  return [
    { id: 'field.send', title: () => t().composer.send, keys: send },
    { id: 'field.newLine', title: () => tl().keys.newLine, keys: newLine },
    { id: 'field.editLast', title: () => tl().keys.editLast, keys: ['ArrowUp'] },
    ...formats,
    { id: 'field.list', title: () => tl().keys.list, keys: ['- '] },
    { id: 'field.codeBlock', title: () => tl().keys.codeBlock, keys: ['```'] },
  ]
}

/** @param hasFixed whether to include keys that cannot be changed */
export function searchKeyMap(words = '', hasFixed = false): readonly MappedGroup[] {
  const capabilities = allCapabilities()
  const commands = capabilities
    .flatMap(({ commands: all = [] }) => all)
    .toSorted((one, other) => frequencyRank(one) - frequencyRank(other))
  const actions = capabilities.flatMap(({ messageActions = [] }) => messageActions)
  const typed = words.trim().toLowerCase()
  const mapped = (keyed: TitledItem): MappedCommand => ({
    id: keyed.id,
    keys: keyed.keys ?? [],
    title: keyed.title(),
    present: keysOf(keyed),
    isOwn: keyed.id in ownKeys.read(),
  })
  const found = (all: readonly TitledItem[]): MappedCommand[] =>
    all.map(mapped).filter(({ title }) => title.toLowerCase().includes(typed))
  const commandsOf = (id: GroupId): MappedCommand[] => found(commands.filter((command) => groupOf(command) === id))
  const fixed = hasFixed ? found(fixedWritingKeys()) : []
  return [
    { id: 'everywhere', title: tl().keys.everywhere, entries: commandsOf('everywhere') },
    { id: 'writing', title: tl().keys.writing, entries: [...fixed, ...commandsOf('writing')] },
    { id: 'lists', title: tl().keys.lists, entries: commandsOf('lists') },
    { id: 'message', title: tl().keys.onMessage, entries: found(actions) },
    { id: 'inbox', title: t().nav.inbox, entries: commandsOf('inbox') },
    { id: 'triage', title: t().nav.triage, entries: commandsOf('triage') },
  ]
}

/** Commands that share a default key do not conflict, because they apply in different places. */
export function conflictingTitles(combination: string, one: MappedCommand): readonly string[] {
  const isUsual = defaultKeysOf(one).includes(combination)
  return searchKeyMap()
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
