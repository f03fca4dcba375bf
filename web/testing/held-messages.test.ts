import { ApiError, type ApiEvent } from '@parley/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Message } from '../src/kernel/message.ts'
import type { Place } from '../src/kernel/route.ts'
import type { State } from '../src/kernel/state.ts'
import { Messages } from '../src/platform/messages/messages.ts'
import { MOST_ROWS, type MessageWindow } from '../src/platform/messages/window.ts'
import { Store } from '../src/platform/sync/store.ts'

/* What the client holds of messages, without a page: the events and the answers of the server are given by hand. */

const OWN_ID = 1
const GARDEN = 10
const CELLAR = 11
const FEED: Place = { view: 'feed' }
const BEANS: Place = { view: 'topic', channelId: GARDEN, topic: 'beans' }
const PEAS: Place = { view: 'topic', channelId: GARDEN, topic: 'peas' }

interface MessageFields {
  readonly topic?: string
  readonly channelId?: number
  readonly flags?: readonly string[]
  readonly content?: string
}

function message(
  id: number,
  { topic = 'beans', channelId = GARDEN, flags = ['read'], content = 'Said' }: MessageFields = {},
) {
  const said = { id, sender_id: 2, stream_id: channelId, subject: topic, display_recipient: 'garden', content }
  // As far as what holds messages looks at them.
  return { ...said, flags, reactions: [], submessages: [] } as unknown as Message
}

/** What a test answers a request with, or fails it with. */
type Answer = (asked: URLSearchParams) => Promise<{ messages: readonly Message[] } & Record<string, unknown>>

/** Messages that hear what the test says, and read what it answers. */
function hold(answer: Answer) {
  const hearings = new Set<(event: ApiEvent, touched: readonly string[]) => void>()
  const beginnings = new Set<() => void>()
  const sync = {
    store: new Store({ user_id: OWN_ID } as unknown as State),
    beganAt: 0,
    hear: (hearing: (event: ApiEvent, touched: readonly string[]) => void) => {
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
  const messages = new Messages(sync, () => [])
  const hear = (event: object): void => {
    for (const hearing of hearings) hearing({ id: 1, ...event } as ApiEvent, [])
  }
  const arrive = (id: number, said?: MessageFields): void => {
    const { flags, ...sent } = message(id, { flags: [], ...said })
    hear({ type: 'message', message: sent, flags })
  }
  const begin = (at: number): void => {
    sync.beganAt = at
    for (const begun of beginnings) begun()
  }
  const open = async (place: Place): Promise<MessageWindow> => {
    const window = messages.open(place)
    await isRead(window)
    return window
  }
  return { messages, hear, arrive, begin, open, asked }
}

async function isRead(window: MessageWindow): Promise<void> {
  await expect.poll(() => window.loading.peek()).toBe('none')
}

const ids = (window: MessageWindow): readonly number[] => window.ids.peek()
const beansAnd = (...others: readonly Message[]): Answer => {
  return async () => ({ messages: [message(100), message(101), ...others] })
}
/** Of the topic or of the whole channel that is asked for. */
const inTopics: Answer = async (asked) => {
  const narrow = asked.get('narrow') ?? ''
  if (narrow.includes('peas')) return { messages: [message(110, { topic: 'peas' })] }
  if (narrow.includes('beans')) return { messages: [message(100), message(101)] }
  return { messages: [message(100), message(101), message(110, { topic: 'peas' })] }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a window at the newest message', () => {
  it('keeps the newest rows where its reader is at the end', async () => {
    const { arrive, open } = hold(beansAnd())
    const feed = await open(FEED)
    feed.isOpen = true
    for (let id = 200; id < 200 + MOST_ROWS; id += 1) arrive(id)
    expect(ids(feed)).toHaveLength(MOST_ROWS)
    expect(ids(feed).at(-1)).toBe(199 + MOST_ROWS)
    expect(feed.atOldest.peek()).toBe(false)
    expect(feed.atNewest.peek()).toBe(true)
  })

  it('keeps all where one reads further up', async () => {
    const { arrive, open } = hold(beansAnd())
    const feed = await open(FEED)
    feed.isOpen = true
    feed.position = { id: 100, offset: 0 }
    for (let id = 200; id < 200 + MOST_ROWS; id += 1) arrive(id)
    expect(ids(feed)).toHaveLength(MOST_ROWS + 2)
  })

  it('keeps what one will read first where nobody sees it', async () => {
    const { arrive, open } = hold(beansAnd())
    const feed = await open(FEED)
    for (let id = 200; id < 250 + MOST_ROWS; id += 1) arrive(id)
    expect(ids(feed)).toHaveLength(MOST_ROWS)
    expect(ids(feed)).toContain(200)
    expect(feed.atNewest.peek()).toBe(false)
  })
})

describe('a change of messages that the client does not have', () => {
  const moved = { type: 'update_message', message_id: 50, message_ids: [50], flags: [], stream_id: GARDEN }

  it('has only the windows read again that may show them', async () => {
    const { hear, open } = hold(inTopics)
    const beans = await open(BEANS)
    const peas = await open(PEAS)
    const direct = await open({ view: 'direct', userIds: [2] })
    const mentions = await open({ view: 'mentions' })
    hear({ ...moved, orig_subject: 'corn', subject: 'peas', conversation: { stream_id: GARDEN, topic: 'peas' } })
    expect([beans, peas, direct, mentions].map(({ stale }) => stale.peek())).toEqual([false, true, false, false])
  })

  it('has the windows read again to which messages come that one may read since then', async () => {
    const { hear, open } = hold(inTopics)
    const beans = await open(BEANS)
    const peas = await open(PEAS)
    const garden = await open({ view: 'channel-feed', channelId: GARDEN })
    const mentions = await open({ view: 'mentions' })
    hear({ ...moved, conversation: { stream_id: GARDEN, topic: 'peas' } })
    expect([beans, peas, garden, mentions].map(({ stale }) => stale.peek())).toEqual([false, true, true, true])
  })

  it('leaves windows alone that end before them', async () => {
    const { hear, open } = hold(async () => ({ messages: [message(110, { topic: 'peas' })], found_oldest: false }))
    const peas = await open(PEAS)
    hear({ ...moved, orig_subject: 'corn', subject: 'peas' })
    expect(peas.stale.peek()).toBe(false)
  })

  it('has a window read on of which all messages that were here have gone', async () => {
    const { hear, open } = hold(async () => ({ messages: [message(100), message(101)], found_oldest: false }))
    const beans = await open(BEANS)
    hear({ ...moved, message_id: 100, message_ids: [100, 101], orig_subject: 'beans', subject: 'peas' })
    expect(ids(beans)).toEqual([])
    expect(beans.stale.peek()).toBe(true)
  })

  it('is of no matter where it is a reaction, but in the view of these', async () => {
    const { hear, open } = hold(inTopics)
    const beans = await open(BEANS)
    const own = await open({ view: 'reactions' })
    const reaction = { type: 'reaction', message_id: 50, user_id: 2, emoji_code: '1f389', emoji_name: 'tada' }
    hear({ ...reaction, op: 'remove', reaction_type: 'unicode_emoji' })
    expect([beans, own].map(({ stale }) => stale.peek())).toEqual([false, false])
    hear({ ...reaction, op: 'add', reaction_type: 'unicode_emoji' })
    expect([beans, own].map(({ stale }) => stale.peek())).toEqual([false, true])
  })
})

describe('a reading that fails', () => {
  const refusal = (status: number, code: string, more = {}) => new ApiError(status, { result: 'error', code, ...more })

  it.each([
    ['is too busy', refusal(429, 'RATE_LIMIT_HIT', { 'retry-after': 7 }), 7_000],
    ['has a fault', refusal(500, 'INTERNAL_ERROR'), 2_000],
  ])('is tried again where the server %s', async (_, error, pause) => {
    let fails = false
    const { messages, open } = hold(async () => {
      if (fails) throw error
      return { messages: [message(100)] }
    })
    const beans = await open(BEANS)
    beans.isOpen = true
    vi.useFakeTimers()
    fails = true
    await messages.renew(beans, undefined)
    expect(beans.failed.peek()).toBe(true)
    expect(ids(messages.open(BEANS))).toEqual([100])
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(beans.stale.peek()).toBe(pause > 2_000)
    await vi.advanceTimersByTimeAsync(1)
    expect(beans.stale.peek()).toBe(true)
  })

  it('leaves the messages of a window that no list shows, and is tried again once one does', async () => {
    let fails = false
    const { messages, open } = hold(async () => {
      if (fails) throw refusal(0, '')
      return { messages: [message(100)] }
    })
    const beans = await open(BEANS)
    vi.useFakeTimers()
    fails = true
    await messages.renew(beans, undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(beans.stale.peek()).toBe(false)
    expect(messages.open(BEANS)).toBe(beans)
    beans.isOpen = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(beans.stale.peek()).toBe(true)
  })

  it('adds nothing behind the gap where the server refuses', async () => {
    let fails = false
    const { messages, arrive, open, asked } = hold(async () => {
      if (fails) throw refusal(400, 'BAD_REQUEST')
      return { messages: [message(100)] }
    })
    const beans = await open(BEANS)
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

describe('the combined feed', () => {
  it('leaves out what is muted, and is read again where that changes', async () => {
    const { messages, arrive, open } = hold(inTopics)
    messages.leaveOut(({ subject }) => subject === 'noise')
    const feed = await open(FEED)
    arrive(200, { topic: 'noise' })
    arrive(201)
    expect(ids(feed)).toEqual([100, 101, 110, 201])
    messages.tellMuting()
    expect(feed.stale.peek()).toBe(true)
  })
})

describe('a channel that one may not read any more', () => {
  const secret = message(120, { topic: 'gold', channelId: CELLAR })
  const GOLD: Place = { view: 'topic', channelId: CELLAR, topic: 'gold' }

  it('takes its messages along', async () => {
    const { messages, open } = hold(async (asked) =>
      asked.get('narrow')?.includes('gold') === true ? { messages: [secret] } : beansAnd(secret)(asked),
    )
    messages.tellReadable(new Set([GARDEN, CELLAR]))
    const feed = await open(FEED)
    const gold = await open(GOLD)
    messages.takeChanged()
    messages.tellReadable(new Set([GARDEN]))
    expect(ids(feed)).toEqual([100, 101])
    expect(ids(gold)).toEqual([])
    expect(gold.atNewest.peek() && gold.atOldest.peek()).toBe(true)
    expect(messages.get(120)).toBeUndefined()
    const { windows, gone } = messages.takeChanged()
    expect(gone).toHaveLength(1)
    expect(JSON.stringify(windows)).not.toContain('gold')
    messages.tellReadable(new Set([GARDEN, CELLAR]))
    expect([feed, gold].map(({ stale }) => stale.peek())).toEqual([true, true])
  })

  it('takes those along that were on their way', async () => {
    let send = (): void => undefined
    const isSent = new Promise<void>((resolve) => {
      send = resolve
    })
    const { messages } = hold(async (asked) => {
      await isSent
      return beansAnd(secret)(asked)
    })
    messages.tellReadable(new Set([GARDEN, CELLAR]))
    const feed = messages.open(FEED)
    const fetched = messages.fetch([120])
    messages.tellReadable(new Set([GARDEN]))
    send()
    await Promise.all([isRead(feed), fetched])
    expect(ids(feed)).toEqual([100, 101])
    expect(messages.get(120)).toBeUndefined()
  })
})

describe('single messages', () => {
  it('are as they were changed while they were on their way', async () => {
    let send = (): void => undefined
    const isSent = new Promise<void>((resolve) => {
      send = resolve
    })
    const { messages, hear } = hold(async (asked) => {
      await isSent
      return beansAnd()(asked)
    })
    const fetched = messages.fetch([100, 101])
    const edit = { type: 'update_message', message_id: 100, message_ids: [100], flags: [], stream_id: GARDEN }
    hear({ ...edit, rendered_content: 'Edited' })
    hear({ type: 'delete_message', message_ids: [101] })
    send()
    await fetched
    expect(messages.get(100)?.peek().content).toBe('Edited')
    expect(messages.get(101)).toBeUndefined()
  })

  it('are read again where events were missed', async () => {
    let content = 'Before'
    const { messages, begin, open } = hold(async (asked) => {
      const all = [message(100, { content }), message(500, { content })]
      return { messages: asked.has('message_ids') ? all : all.slice(0, 1) }
    })
    const beans = await open(BEANS)
    await messages.fetch([100, 500])
    content = 'After'
    begin(2_000)
    expect(messages.get(500)).toBeUndefined()
    expect(beans.stale.peek()).toBe(true)
    await messages.fetch([100, 500])
    expect([100, 500].map((id) => messages.get(id)?.peek().content)).toEqual(['After', 'After'])
  })
})
