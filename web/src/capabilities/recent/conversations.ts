import { call, type Answer } from '@parley/client'
import { recent } from '@parley/server/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RECENT_FILTERS, placeKey, type Conversation, type RecentFilter } from '../../kernel/route.ts'
import { sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId } from '../users/state.ts'

export type RecentConversation = Answer<typeof recent.getRecentConversations>['conversations'][number]

const REREAD_DELAY_MILLISECONDS = 2_000
const RELEVANT_EVENTS = ['message', 'update_message', 'delete_message', 'update_message_flags', 'user_topic']

interface ConversationList {
  readonly conversations: readonly RecentConversation[] | undefined
  readonly atOldest: boolean
  readonly hasFailed: boolean
  readonly isLoading: boolean
  readonly more: () => void
}

interface LoadedPages {
  readonly conversations: readonly RecentConversation[]
  readonly atOldest: boolean
}

export function conversationOfRecent(one: RecentConversation): Conversation {
  const { type, stream_id: channelId = 0, topic = '', user_ids: userIds = [] } = one
  if (type === 'stream') return { view: 'topic', channelId, topic }
  return { view: 'direct', userIds: userIds.length === 0 ? [ownId()] : userIds }
}

export function keyOfRecent(one: RecentConversation): string {
  return placeKey(conversationOfRecent(one))
}

async function fetchPage(filters: readonly RecentFilter[], before: number | undefined, signal: AbortSignal) {
  const chosen = Object.fromEntries(RECENT_FILTERS.map((name) => [name, filters.includes(name)]))
  const input = { ...chosen, allow_empty_topic_name: true, ...(before === undefined ? {} : { before }) }
  return call(SESSION, recent.getRecentConversations, input, { signal })
}

function mergeNewestPage(
  known: LoadedPages | undefined,
  { conversations, found_oldest }: Awaited<ReturnType<typeof fetchPage>>,
): LoadedPages {
  const last = conversations.at(-1)?.max_message_id
  if (known === undefined || found_oldest || last === undefined) return { conversations, atOldest: found_oldest }
  const read = new Set(conversations.map(keyOfRecent))
  const older = known.conversations.filter((one) => one.max_message_id < last && !read.has(keyOfRecent(one)))
  return older.length === 0
    ? { conversations, atOldest: false }
    : { conversations: [...conversations, ...older], atOldest: known.atOldest }
}

function appendOlderPage(
  known: LoadedPages,
  { conversations, found_oldest }: Awaited<ReturnType<typeof fetchPage>>,
): LoadedPages {
  const there = new Set(known.conversations.map(keyOfRecent))
  const older = conversations.filter((one) => !there.has(keyOfRecent(one)))
  return { conversations: [...known.conversations, ...older], atOldest: found_oldest }
}

/** Returns the conversations with the latest messages first. Events cause another read of the first page. */
export function useConversations(filters: readonly RecentFilter[]): ConversationList {
  const [pages, setPages] = useState<LoadedPages>()
  const [hasFailed, setFailed] = useState(false)
  const [isLoading, setLoading] = useState(false)
  const aborter = useRef(new AbortController())
  const load = async (what: 'first' | 'next', { signal }: AbortController): Promise<void> => {
    setLoading(true)
    try {
      const before = what === 'next' ? pages?.conversations.at(-1)?.max_message_id : undefined
      const answer = await fetchPage(filters, before, signal)
      setPages((known) =>
        what === 'next' && known !== undefined ? appendOlderPage(known, answer) : mergeNewestPage(known, answer),
      )
      setFailed(false)
    } catch {
      if (!signal.aborted) setFailed(true)
    }
    if (!signal.aborted) setLoading(false)
  }
  useEffect(() => {
    const own = (aborter.current = new AbortController())
    let timer: ReturnType<typeof setTimeout> | undefined
    setPages(undefined)
    setFailed(false)
    void load('first', own)
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        void load('first', own)
      }, REREAD_DELAY_MILLISECONDS)
    }
    const stop = sync.listen(({ type }) => RELEVANT_EVENTS.includes(type) && later())
    return () => {
      own.abort()
      stop()
      clearTimeout(timer)
    }
  }, [filters.join()])
  const more = (): void => {
    if (!isLoading) void load(pages === undefined ? 'first' : 'next', aborter.current)
  }
  return {
    conversations: pages?.conversations,
    atOldest: pages?.atOldest === true,
    hasFailed,
    isLoading,
    more,
  }
}
