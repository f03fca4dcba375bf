import { useEffect, useMemo, useState } from 'preact/hooks'
import { Finder } from '../kernel/finding.ts'
import { tl } from '../kernel/later-texts.ts'
import { conversationOfMessage } from '../kernel/message.ts'
import type { Route } from '../kernel/route.ts'
import { store } from '../platform/client.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { readPage } from '../platform/messages/reading.ts'
import { parseSearchQuery, readQuery } from '../capabilities/history/search-query.ts'
import { isHiddenMessage } from '../capabilities/muted-users/state.ts'
import {
  allEntries,
  recentConversations,
  requestRecentConversations,
  weightOf,
  yieldToInput,
  type Entry,
} from '../capabilities/palette/entries.ts'
import { fileIcon, filesIn, filterFiles, parseFileFilter } from '../capabilities/uploads/files.ts'
import { GroupAvatar } from '../capabilities/users/parts/avatar.tsx'
import { ownId } from '../capabilities/users/state.ts'

const MIN_LETTERS = 2
const MAX_SHOWN = 3
const MAX_COUNTED = 99

type Kind = keyof ReturnType<typeof tl>['search']['kinds']

interface FoundItem extends Pick<Entry, 'key' | 'name' | 'icon' | 'userIds'> {
  readonly to: Route
  readonly title: string | undefined
  readonly weight: number
}

interface FoundGroup {
  readonly kind: Kind
  readonly items: readonly FoundItem[]
  readonly hasMore: boolean
}

/** Lists people, channels, topics, and files whose names match a search without filters. */
export function OtherResults({ query }: { readonly query: string }) {
  const { conditions, words } = useMemo(() => readQuery(query), [query])
  const name = conditions.every(({ operator }) => operator === 'order') && !/(?:^|\s)-|"/.test(words) ? words : ''
  const named = useNamedItems(name)
  const files = useFiles(name)
  const groups = [...named, files].filter(({ items }) => items.length > 0)
  if (groups.length === 0 || name.length < MIN_LETTERS) return null
  return (
    <nav class="quick-filters search-note" aria-label={tl().search.others}>
      {groups.map((group) => (
        <Group key={group.kind} {...group} />
      ))}
    </nav>
  )
}

function Group({ kind, items, hasMore }: FoundGroup) {
  const title = tl().search.counted(tl().search.kinds[kind], items.length, hasMore)
  return (
    <div role="group" aria-label={title}>
      <span>{title}</span>
      {items.slice(0, MAX_SHOWN).map(({ key, name, icon, userIds, title: place, to }) => (
        <Link key={key} class="button" to={to} title={place}>
          {userIds === undefined ? <Icon name={icon} size={14} /> : <GroupAvatar userIds={userIds} size={16} />}
          <bdi>{name}</bdi>
        </Link>
      ))}
    </div>
  )
}

const KINDS_BY_VIEW = { direct: 'people', channel: 'channels', topic: 'topics' } as const

function useNamedItems(name: string): readonly FoundGroup[] {
  const [found, setFound] = useState<readonly FoundGroup[]>([])
  const recent = recentConversations.value
  useEffect(() => void requestRecentConversations(), [])
  const finders = useMemo(() => {
    const entries = name === '' ? [] : allEntries()
    return Object.entries(KINDS_BY_VIEW).map(([view, kind]) => ({
      kind,
      finder: new Finder(
        entries.flatMap((entry) => {
          const { key, name: of, icon, userIds, detail, to } = entry
          // Without the detail, by which the palette also finds entries.
          const item = { key, name: of, icon, title: detail, weight: weightOf(entry) }
          return to?.view === view ? [{ ...item, to, ...(userIds === undefined ? {} : { userIds }) }] : []
        }),
        { weightOf: ({ weight }) => weight },
      ),
    }))
  }, [name === '', recent])
  useEffect(() => {
    const aborter = new AbortController()
    const groups = finders.map(async ({ kind, finder }) => {
      const best = await finder.find(name, MAX_COUNTED + 1, yieldToInput, aborter.signal)
      return { kind, items: best.slice(0, MAX_COUNTED).map(({ item }) => item), hasMore: best.length > MAX_COUNTED }
    })
    void Promise.all(groups).then((all) => {
      if (!aborter.signal.aborted) setFound(all)
    })
    return () => aborter.abort()
  }, [finders, name])
  return found
}

const NO_FILES: FoundGroup = { kind: 'files', items: [], hasMore: false }

/** Finds the messages of files by the search, because a message contains the names of its files. */
function useFiles(name: string): FoundGroup {
  const [found, setFound] = useState(NO_FILES)
  useEffect(() => {
    let isWanted = true
    const show = (files: FoundGroup): void => {
      if (isWanted) setFound(files)
    }
    if (name === '') show(NO_FILES)
    else findFiles(name).then(show, () => show(NO_FILES))
    return () => {
      isWanted = false
    }
  }, [name])
  return found
}

async function findFiles(name: string): Promise<FoundGroup> {
  const narrow = [...parseSearchQuery(name, store()).terms, { operator: 'has', operand: 'attachment' }]
  const { messages, found_oldest: isWhole } = await readPage(narrow, 'older', 'newest')
  const files = filterFiles(filesIn(messages.filter((message) => !isHiddenMessage(message))), {
    ...parseFileFilter(),
    name,
  })
  return {
    kind: 'files',
    hasMore: !isWhole,
    items: files.map(({ name: of, path, message }) => ({
      key: path,
      name: of,
      icon: fileIcon(of),
      title: undefined,
      weight: 1,
      to: { ...conversationOfMessage(message, ownId()), near: message.id },
    })),
  }
}
