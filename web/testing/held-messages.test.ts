import { ApiError, type ApiEvent } from '@parley/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Message } from '../src/kernel/message.ts'
import type { Place } from '../src/kernel/route.ts'
import type { State } from '../src/kernel/state.ts'
import { Messages } from '../src/platform/messages/messages.ts'
import { MAX_WINDOW_ROWS, type MessageWindow } from '../src/platform/messages/window.ts'
import { Store } from '../src/platform/sync/store.ts'

/* Tests the client's message store without a page: the tests supply the events and the server's answers. */

const OWN_ID = 1
const GARDEN_ID = 10
const CELLAR_ID = 11
const FEED_PLACE: Place = { view: 'feed' }
const BEANS_PLACE: Place = { view: 'topic', channelId: GARDEN_ID, topic: 'beans' }
const PEAS_PLACE: Place = { view: 'topic', channelId: GARDEN_ID, topic: 'peas' }

interface MessageFields {
  readonly topic?: string
  readonly channelId?: number
  readonly flags?: string[]
  readonly content?: string
}

function message(
  id: number,
  { topic = 'beans', channelId = GARDEN_ID, flags = ['read'], content = 'Said' }: MessageFields = {},
): Message {
  return {
    id,
    type: 'stream',
    sender_id: 2,
    sender_email: 'user2@example.com',
    sender_full_name: 'Fred Friend',
    sender_realm_str: 'hill',
    avatar_url: null,
    client: 'website',
    content,
    content_type: 'text/html',
    display_recipient: 'garden',
    recipient_id: channelId,
    stream_id: channelId,
    subject: topic,
    is_me_message: false,
    timestamp: 1_700_000_000,
    reactions: [],
    submessages: [],
    topic_links: [],
    flags,
  }
}

type Answer = (asked: URLSearchParams) => Promise<{ messages: readonly Message[] } & Record<string, unknown>>

function createStore(answer: Answer) {
  const hearings = new Set<(event: ApiEvent, touched: readonly string[]) => void>()
  const beginnings = new Set<() => void>()
  const sync = {
    store: new Store({ user_id: OWN_ID } as unknown as State),
    beganAt: 0,
    listen: (hearing: (event: ApiEvent, touched: readonly string[]) => void) => {
      hearings.add(hearing)
      return () => hearings.delete(hearing)
    },
    onBeginning: (begun: () => void) => {
      beginnings.add(begun)
      return () => beginnings.delete(begun)
    },
  }
  const asked: URLSearchParams[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    const parameters = new URL(url, 'http://parley').searchParams
    asked.push(parameters)
    try {
      const found = { result: 'success', msg: '', anchor: 0, found_oldest: true, found_newest: true }
      return Response.json({ ...found, ...(await answer(parameters)) }, { headers: { 'parley-position': '1000' } })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return Response.json(error.body, { status: error.status })
    }
  })
  const messages = new Messages(sync)
  const emitEvent = (event: { readonly type: string } & Record<string, unknown>): void => {
    for (const hearing of hearings) hearing({ id: 1, ...event }, [])
  }
  const arrive = (id: number, said?: MessageFields): void => {
    const { flags, ...sent } = message(id, { flags: [], ...said })
    emitEvent({ type: 'message', message: sent, flags })
  }
  const begin = (at: number): void => {
    sync.beganAt = at
    for (const begun of beginnings) begun()
  }
  const open = async (place: Place): Promise<MessageWindow> => {
    const window = messages.open(place)
    await waitUntilLoaded(window)
    return window
  }
  return { messages, hear: emitEvent, arrive, begin, open, asked }
}

async function waitUntilLoaded(window: MessageWindow): Promise<void> {
  await expect.poll(() => window.loading.peek()).toBe('none')
}

const ids = (window: MessageWindow): readonly number[] => window.ids.peek()
const answerWithBeansAnd = (...others: readonly Message[]): Answer => {
  return async () => ({ messages: [message(100), message(101), ...others] })
}
const answerByTopic: Answer = async (asked) => {
  const narrow = asked.get('narrow') ?? ''
  if (narrow.includes('peas')) return { messages: [message(110, { topic: 'peas' })] }
  if (narrow.includes('beans')) return { messages: [message(100), message(101)] }
  return { messages: [message(100), message(101), message(110, { topic: 'peas' })] }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('message window at the newest message', () => {
  it('keeps only the newest messages loaded while the reader is at the end', async () => {
    const { arrive, open } = createStore(answerWithBeansAnd())
    const feed = await open(FEED_PLACE)
    feed.isOpen = true
    for (let id = 200; id < 200 + MAX_WINDOW_ROWS; id += 1) arrive(id)
    expect(ids(feed)).toHaveLength(MAX_WINDOW_ROWS)
    expect(ids(feed).at(-1)).toBe(199 + MAX_WINDOW_ROWS)
    expect(feed.atOldest.peek()).toBe(false)
    expect(feed.atNewest.peek()).toBe(true)
  })

  it('keeps all messages loaded while the reader is scrolled up', async () => {
    const { arrive, open } = createStore(answerWithBeansAnd())
    const feed = await open(FEED_PLACE)
    feed.isOpen = true
    feed.position = { id: 100, offset: 0 }
    for (let id = 200; id < 200 + MAX_WINDOW_ROWS; id += 1) arrive(id)
    expect(ids(feed)).toHaveLength(MAX_WINDOW_ROWS + 2)
  })

  it('keeps the earliest new messages, not the newest, in a view that is not open', async () => {
    const { arrive, open } = createStore(answerWithBeansAnd())
    const feed = await open(FEED_PLACE)
    for (let id = 200; id < 250 + MAX_WINDOW_ROWS; id += 1) arrive(id)
    expect(ids(feed)).toHaveLength(MAX_WINDOW_ROWS)
    expect(ids(feed)).toContain(200)
    expect(feed.atNewest.peek()).toBe(false)
  })
})

describe('changes to unloaded messages', () => {
  const moved = { type: 'update_message', message_id: 50, message_ids: [50], flags: [], stream_id: GARDEN_ID }

  it('reloads only views that can show a moved message', async () => {
    const { hear, open } = createStore(answerByTopic)
    const beans = await open(BEANS_PLACE)
    const peas = await open(PEAS_PLACE)
    const direct = await open({ view: 'direct', userIds: [2] })
    const mentions = await open({ view: 'mentions' })
    hear({ ...moved, orig_subject: 'corn', subject: 'peas', conversation: { stream_id: GARDEN_ID, topic: 'peas' } })
    expect([beans, peas, direct, mentions].map(({ stale }) => stale.peek())).toEqual([false, true, false, false])
  })

  it('reloads views that gain messages the person can now read', async () => {
    const { hear, open } = createStore(answerByTopic)
    const beans = await open(BEANS_PLACE)
    const peas = await open(PEAS_PLACE)
    const garden = await open({ view: 'channel-feed', channelId: GARDEN_ID })
    const mentions = await open({ view: 'mentions' })
    hear({ ...moved, conversation: { stream_id: GARDEN_ID, topic: 'peas' } })
    expect([beans, peas, garden, mentions].map(({ stale }) => stale.peek())).toEqual([false, true, true, true])
  })

  it('does not reload a view whose loaded messages start after the moved message', async () => {
    const { hear, open } = createStore(async () => ({
      messages: [message(110, { topic: 'peas' })],
      found_oldest: false,
    }))
    const peas = await open(PEAS_PLACE)
    hear({ ...moved, orig_subject: 'corn', subject: 'peas' })
    expect(peas.stale.peek()).toBe(false)
  })

  it('reloads a view after all its loaded messages were moved away', async () => {
    const { hear, open } = createStore(async () => ({ messages: [message(100), message(101)], found_oldest: false }))
    const beans = await open(BEANS_PLACE)
    hear({ ...moved, message_id: 100, message_ids: [100, 101], orig_subject: 'beans', subject: 'peas' })
    expect(ids(beans)).toEqual([])
    expect(beans.stale.peek()).toBe(true)
  })

  it('reloads only the reactions view for a reaction to an unloaded message', async () => {
    const { hear, open } = createStore(answerByTopic)
    const beans = await open(BEANS_PLACE)
    const own = await open({ view: 'reactions' })
    const reaction = { type: 'reaction', message_id: 50, user_id: 2, emoji_code: '1f389', emoji_name: 'tada' }
    hear({ ...reaction, op: 'remove', reaction_type: 'unicode_emoji' })
    expect([beans, own].map(({ stale }) => stale.peek())).toEqual([false, false])
    hear({ ...reaction, op: 'add', reaction_type: 'unicode_emoji' })
    expect([beans, own].map(({ stale }) => stale.peek())).toEqual([false, true])
  })
})

describe('failed reads', () => {
  const refusal = (status: number, code: string, more = {}) => new ApiError(status, { result: 'error', code, ...more })

  it.each([
    ['is too busy', refusal(429, 'RATE_LIMIT_HIT', { 'retry-after': 7 }), 7_000],
    ['has a fault', refusal(500, 'INTERNAL_ERROR'), 2_000],
  ])('retries a failed read if the server %s', async (_, error, pause) => {
    let fails = false
    const { messages, open } = createStore(async () => {
      if (fails) throw error
      return { messages: [message(100)] }
    })
    const beans = await open(BEANS_PLACE)
    beans.isOpen = true
    vi.useFakeTimers()
    fails = true
    await messages.renew(beans, undefined)
    expect(beans.failed.peek()).toBe(true)
    expect(ids(messages.open(BEANS_PLACE))).toEqual([100])
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(beans.stale.peek()).toBe(pause > 2_000)
    await vi.advanceTimersByTimeAsync(1)
    expect(beans.stale.peek()).toBe(true)
  })

  it('keeps the messages of a closed view after a failed read, and retries when the view opens', async () => {
    let fails = false
    const { messages, open } = createStore(async () => {
      if (fails) throw refusal(0, '')
      return { messages: [message(100)] }
    })
    const beans = await open(BEANS_PLACE)
    vi.useFakeTimers()
    fails = true
    await messages.renew(beans, undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(beans.stale.peek()).toBe(false)
    expect(messages.open(BEANS_PLACE)).toBe(beans)
    beans.isOpen = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(beans.stale.peek()).toBe(true)
  })

  it('adds no new messages after a refused read until a retry succeeds', async () => {
    let fails = false
    const { messages, arrive, open, asked } = createStore(async () => {
      if (fails) throw refusal(400, 'BAD_REQUEST')
      return { messages: [message(100)] }
    })
    const beans = await open(BEANS_PLACE)
    fails = true
    await messages.renew(beans, undefined)
    arrive(300)
    expect(ids(beans)).toEqual([100])
    expect(beans.atNewest.peek()).toBe(false)
    fails = false
    await messages.again(beans, 'newer')
    expect(asked.at(-1)?.get('anchor')).toBe('100')
    arrive(301)
    expect(ids(beans)).toEqual([100, 301])
  })
})

describe('combined feed', () => {
  it('omits muted messages, and reloads the feed when muting changes', async () => {
    const { messages, arrive, open } = createStore(answerByTopic)
    messages.leaveOut(({ subject }) => subject === 'noise')
    const feed = await open(FEED_PLACE)
    arrive(200, { topic: 'noise' })
    arrive(201)
    expect(ids(feed)).toEqual([100, 101, 110, 201])
    messages.onMutingChanged()
    expect(feed.stale.peek()).toBe(true)
  })
})

describe('loss of channel access', () => {
  const secret = message(120, { topic: 'gold', channelId: CELLAR_ID })
  const GOLD: Place = { view: 'topic', channelId: CELLAR_ID, topic: 'gold' }

  it('removes the messages of a channel when the person loses access', async () => {
    const { messages, open } = createStore(async (asked) =>
      asked.get('narrow')?.includes('gold') === true ? { messages: [secret] } : answerWithBeansAnd(secret)(asked),
    )
    messages.setReadable(new Set([GARDEN_ID, CELLAR_ID]))
    const feed = await open(FEED_PLACE)
    const gold = await open(GOLD)
    messages.takeChanged()
    messages.setReadable(new Set([GARDEN_ID]))
    expect(ids(feed)).toEqual([100, 101])
    expect(ids(gold)).toEqual([])
    expect(gold.atNewest.peek() && gold.atOldest.peek()).toBe(true)
    expect(messages.get(120)).toBeUndefined()
    const { windows, gone } = messages.takeChanged()
    expect(gone).toHaveLength(1)
    expect(JSON.stringify(windows)).not.toContain('gold')
    messages.setReadable(new Set([GARDEN_ID, CELLAR_ID]))
    expect([feed, gold].map(({ stale }) => stale.peek())).toEqual([true, true])
  })

  it('discards fetched messages if the person loses access before the messages arrive', async () => {
    let send = (): void => undefined
    const isSent = new Promise<void>((resolve) => {
      send = resolve
    })
    const { messages } = createStore(async (asked) => {
      await isSent
      return answerWithBeansAnd(secret)(asked)
    })
    messages.setReadable(new Set([GARDEN_ID, CELLAR_ID]))
    const feed = messages.open(FEED_PLACE)
    const fetched = messages.fetch([120])
    messages.setReadable(new Set([GARDEN_ID]))
    send()
    await Promise.all([waitUntilLoaded(feed), fetched])
    expect(ids(feed)).toEqual([100, 101])
    expect(messages.get(120)).toBeUndefined()
  })
})

describe('single messages', () => {
  it('applies edits and deletions to messages that are still being fetched', async () => {
    let send = (): void => undefined
    const isSent = new Promise<void>((resolve) => {
      send = resolve
    })
    const { messages, hear } = createStore(async (asked) => {
      await isSent
      return answerWithBeansAnd()(asked)
    })
    const fetched = messages.fetch([100, 101])
    const edit = { type: 'update_message', message_id: 100, message_ids: [100], flags: [], stream_id: GARDEN_ID }
    hear({ ...edit, rendered_content: 'Edited' })
    hear({ type: 'delete_message', message_ids: [101] })
    send()
    await fetched
    expect(messages.get(100)?.peek().content).toBe('Edited')
    expect(messages.get(101)).toBeUndefined()
  })

  it('reloads messages after missed events', async () => {
    let content = 'Before'
    const { messages, begin, open } = createStore(async (asked) => {
      const all = [message(100, { content }), message(500, { content })]
      return { messages: asked.has('message_ids') ? all : all.slice(0, 1) }
    })
    const beans = await open(BEANS_PLACE)
    await messages.fetch([100, 500])
    content = 'After'
    begin(2_000)
    expect(messages.get(500)).toBeUndefined()
    expect(beans.stale.peek()).toBe(true)
    await messages.fetch([100, 500])
    expect([100, 500].map((id) => messages.get(id)?.peek().content)).toEqual(['After', 'After'])
  })
})
