import { call, type ApiEvent } from '@parley/client'
import { messages as declared, recent } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** As many of a channel's topics as the sidebar shows. */
const NEWEST = 8

/** Topics of the channels that were asked for, the one with the newest message first, kept true by events. */
class Topics {
  readonly #known = signal<ReadonlyMap<number, readonly string[]>>(new Map())
  readonly #asked = new Set<number>()
  /** Of the last request for a channel's topics that is on its way: the topics of messages that came meanwhile. */
  readonly #heard = new Map<number, string[]>()
  readonly #read: (channelId: number) => Promise<readonly string[]>

  constructor(read: (channelId: number) => Promise<readonly string[]>) {
    this.#read = read
  }

  /** The topics of a channel; none until they are there. */
  of(channelId: number): readonly string[] {
    if (!this.#asked.has(channelId)) void this.#load(channelId)
    return this.#known.value.get(channelId) ?? []
  }

  async #load(channelId: number): Promise<void> {
    if (this.#asked.size === 0) this.#listen()
    this.#asked.add(channelId)
    const heard: string[] = []
    this.#heard.set(channelId, heard)
    try {
      const topics = await this.#read(channelId)
      if (this.#heard.get(channelId) !== heard) return
      this.#heard.delete(channelId)
      this.#known.value = new Map([...this.#known.value, [channelId, heard.reduce(withFirst, topics)]])
    } catch {
      // Without them there are those with unread messages; they are asked for again when the channel is unfolded again.
      this.#asked.delete(channelId)
    }
  }

  /** What is said comes first, and what is moved or deleted is asked for anew. */
  #listen(): void {
    sync.onBeginning(() => {
      this.#asked.clear()
      this.#heard.clear()
      this.#known.value = new Map()
    })
    sync.hear((event) => {
      if (event.type === 'message') this.#onMessage(event)
      else if (event.type === 'delete_message' || isMove(event)) {
        for (const channelId of [event['stream_id'], event['new_stream_id']].map(Number)) {
          if (this.#asked.has(channelId)) void this.#load(channelId)
        }
      }
    })
  }

  #onMessage(event: ApiEvent): void {
    // As the server declares the event.
    const { stream_id: channelId, subject } = event['message'] as { stream_id?: number; subject: string }
    if (channelId === undefined || !this.#asked.has(channelId)) return
    this.#heard.get(channelId)?.push(subject)
    const topics = withFirst(this.#known.value.get(channelId) ?? [], subject)
    this.#known.value = new Map([...this.#known.value, [channelId, topics]])
  }
}

function withFirst(topics: readonly string[], first: string): readonly string[] {
  return [first, ...topics.filter((name) => name.toLowerCase() !== first.toLowerCase())]
}

function isMove(event: ApiEvent): boolean {
  return event.type === 'update_message' && (event['subject'] !== undefined || event['new_stream_id'] !== undefined)
}

const all = new Topics(async (channelId) => {
  const given = { stream_id: channelId, allow_empty_topic_name: true }
  const { topics } = await call(SESSION, declared.getStreamTopics, given)
  return topics.map(({ name }) => name)
})

const newest = new Topics(async (channelId) => {
  const given = { channel_id: channelId, limit: NEWEST, muted: true, allow_empty_topic_name: true }
  const { conversations } = await call(SESSION, recent.getRecentConversations, given)
  return conversations.map(({ topic = '' }) => topic)
})

/** All topics of a channel, which may be thousands; none until they are there. */
export function topicsOf(channelId: number): readonly string[] {
  return all.of(channelId)
}

/** The topics of a channel of which was spoken last; none until they are there. */
export function newestTopicsOf(channelId: number): readonly string[] {
  return newest.of(channelId)
}
