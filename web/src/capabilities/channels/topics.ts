import { call, type ApiEvent } from '@parley/client'
import { messages as declared, recent } from '@parley/server/contract'
import { effect, signal } from '@preact/signals'
import { sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** As many of a channel's topics as the sidebar shows. */
const NEWEST = 8

export interface Topic {
  readonly name: string
  /** Of its newest message. */
  readonly lastId: number
}

/** Topics of the channels that were asked for, the one with the newest message first, kept true by events. */
class Topics {
  readonly #known = signal<ReadonlyMap<number, readonly Topic[]>>(new Map())
  /** Channels of which the topics could not be read. */
  readonly #failed = signal<ReadonlySet<number>>(new Set())
  readonly #asked = new Set<number>()
  /** Of the last request for a channel's topics that is on its way: the topics of messages that came meanwhile. */
  readonly #heard = new Map<number, Topic[]>()
  readonly #read: (channelId: number) => Promise<readonly Topic[]>

  constructor(read: (channelId: number) => Promise<readonly Topic[]>) {
    this.#read = read
  }

  /** The topics of a channel; undefined until they are there. */
  of(channelId: number): readonly Topic[] | undefined {
    if (!this.#asked.has(channelId)) void this.#load(channelId)
    return this.#known.value.get(channelId)
  }

  hasFailed(channelId: number): boolean {
    return this.#failed.value.has(channelId)
  }

  /** Asks again for topics that could not be read. */
  retry(channelId: number): void {
    if (!this.#failed.peek().has(channelId)) return
    this.#setFailed(channelId, false)
    void this.#load(channelId)
  }

  #setFailed(channelId: number, hasFailed: boolean): void {
    if (this.#failed.peek().has(channelId) === hasFailed) return
    const others = [...this.#failed.peek()].filter((id) => id !== channelId)
    this.#failed.value = new Set(hasFailed ? [...others, channelId] : others)
  }

  async #load(channelId: number): Promise<void> {
    if (this.#asked.size === 0) this.#listen()
    this.#asked.add(channelId)
    const heard: Topic[] = []
    this.#heard.set(channelId, heard)
    try {
      const topics = await this.#read(channelId)
      if (this.#heard.get(channelId) !== heard) return
      this.#heard.delete(channelId)
      this.#known.value = new Map([...this.#known.value, [channelId, heard.reduce(withFirst, topics)]])
      this.#setFailed(channelId, false)
    } catch {
      // The topics that are known may be old by now. The view offers to ask again, and a connection that comes back does ask.
      if (this.#heard.get(channelId) === heard) this.#setFailed(channelId, true)
    }
  }

  /** What is said comes first, and what is moved or deleted is asked for anew. */
  #listen(): void {
    sync.onBeginning(() => {
      this.#asked.clear()
      this.#heard.clear()
      this.#known.value = new Map()
      this.#failed.value = new Set()
    })
    effect(() => {
      if (!sync.isConnected.value) return
      for (const channelId of this.#failed.peek()) this.retry(channelId)
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
    const {
      stream_id: channelId,
      subject,
      id,
    } = event['message'] as { stream_id?: number; subject: string; id: number }
    if (channelId === undefined || !this.#asked.has(channelId)) return
    const topic = { name: subject, lastId: id }
    this.#heard.get(channelId)?.push(topic)
    const known = this.#known.peek().get(channelId)
    if (known !== undefined) this.#known.value = new Map([...this.#known.peek(), [channelId, withFirst(known, topic)]])
  }
}

function withFirst(topics: readonly Topic[], first: Topic): readonly Topic[] {
  return [first, ...topics.filter(({ name }) => name.toLowerCase() !== first.name.toLowerCase())]
}

function isMove(event: ApiEvent): boolean {
  return event.type === 'update_message' && (event['subject'] !== undefined || event['new_stream_id'] !== undefined)
}

const all = new Topics(async (channelId) => {
  const given = { stream_id: channelId, allow_empty_topic_name: true }
  const { topics } = await call(SESSION, declared.getStreamTopics, given)
  return topics.map(({ name, max_id }) => ({ name, lastId: max_id }))
})

const newest = new Topics(async (channelId) => {
  const given = { channel_id: channelId, limit: NEWEST, muted: true, allow_empty_topic_name: true }
  const { conversations } = await call(SESSION, recent.getRecentConversations, given)
  return conversations.map(({ topic = '', max_message_id }) => ({ name: topic, lastId: max_message_id }))
})

/** All topics of a channel, which may be thousands; undefined until they are there. */
export function topicListOf(channelId: number): readonly Topic[] | undefined {
  return all.of(channelId)
}

/** Whether the topics of a channel could not be read; what was known before is shown all the same. */
export function hasNoTopicList(channelId: number): boolean {
  return all.hasFailed(channelId)
}

export function retryTopicList(channelId: number): void {
  all.retry(channelId)
}

/** The names of all topics of a channel; none until they are there. */
export function topicsOf(channelId: number): readonly string[] {
  return namesOf(all.of(channelId))
}

/** The topics of a channel of which was spoken last; none until they are there. */
export function newestTopicsOf(channelId: number): readonly string[] {
  return namesOf(newest.of(channelId))
}

/** Asks for the newest topics of a channel again, where they could not be read. */
export function retryNewestTopics(channelId: number): void {
  newest.retry(channelId)
}

function namesOf(topics: readonly Topic[] = []): readonly string[] {
  return topics.map(({ name }) => name)
}
