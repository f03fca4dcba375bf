import { call, isEvent, type ApiEvent, type PayloadOf } from '@parley/client'
import { messages as declared, recent } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { effect, signal } from '@preact/signals'
import { sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

const MAX_NEWEST_TOPICS = 8

export interface Topic {
  readonly name: string
  readonly lastId: number
}

class TopicLists {
  readonly #known = signal<ReadonlyMap<number, readonly Topic[]>>(new Map())
  readonly #failed = signal<ReadonlySet<number>>(new Set())
  readonly #asked = new Set<number>()
  /** Topics of messages that arrived while a channel's request was pending. */
  readonly #arrived = new Map<number, Topic[]>()
  readonly #read: (channelId: number) => Promise<readonly Topic[]>

  constructor(read: (channelId: number) => Promise<readonly Topic[]>) {
    this.#read = read
  }

  of(channelId: number): readonly Topic[] | undefined {
    if (!this.#asked.has(channelId)) void this.#load(channelId)
    return this.#known.value.get(channelId)
  }

  hasFailed(channelId: number): boolean {
    return this.#failed.value.has(channelId)
  }

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
    const arrived: Topic[] = []
    this.#arrived.set(channelId, arrived)
    try {
      const topics = await this.#read(channelId)
      if (this.#arrived.get(channelId) !== arrived) return
      this.#arrived.delete(channelId)
      this.#known.value = new Map([...this.#known.value, [channelId, arrived.reduce(moveToFront, topics)]])
      this.#setFailed(channelId, false)
    } catch {
      // Known topics stay visible but can be outdated. The view offers a retry, and reconnecting retries automatically.
      if (this.#arrived.get(channelId) === arrived) this.#setFailed(channelId, true)
    }
  }

  /** New messages move their topic to the top; moves and deletions trigger a new request. */
  #listen(): void {
    sync.onBeginning(() => {
      this.#asked.clear()
      this.#arrived.clear()
      this.#known.value = new Map()
      this.#failed.value = new Set()
    })
    effect(() => {
      if (!sync.isConnected.value) return
      for (const channelId of this.#failed.peek()) this.retry(channelId)
    })
    sync.listen((event) => {
      if (isEvent(event, declared.messageSent)) this.#onMessage(event)
      else if (event.type === 'delete_message' || isTopicMove(event)) {
        for (const channelId of [event['stream_id'], event['new_stream_id']].map(Number)) {
          if (this.#asked.has(channelId)) void this.#load(channelId)
        }
      }
    })
  }

  #onMessage({ message: { stream_id: channelId, subject, id } }: PayloadOf<typeof declared.messageSent>): void {
    if (channelId === undefined || !this.#asked.has(channelId)) return
    const topic = { name: subject, lastId: id }
    this.#arrived.get(channelId)?.push(topic)
    const known = this.#known.peek().get(channelId)
    if (known !== undefined)
      this.#known.value = new Map([...this.#known.peek(), [channelId, moveToFront(known, topic)]])
  }
}

function moveToFront(topics: readonly Topic[], first: Topic): readonly Topic[] {
  return [first, ...topics.filter(({ name }) => caseKey(name) !== caseKey(first.name))]
}

function isTopicMove(event: ApiEvent): boolean {
  return event.type === 'update_message' && (event['subject'] !== undefined || event['new_stream_id'] !== undefined)
}

const allTopics = new TopicLists(async (channelId) => {
  const input = { stream_id: channelId, allow_empty_topic_name: true }
  const { topics } = await call(SESSION, declared.getStreamTopics, input)
  return topics.map(({ name, max_id }) => ({ name, lastId: max_id }))
})

const newestTopics = new TopicLists(async (channelId) => {
  const input = { channel_id: channelId, limit: MAX_NEWEST_TOPICS, muted: true, allow_empty_topic_name: true }
  const { conversations } = await call(SESSION, recent.getRecentConversations, input)
  return conversations.map(({ topic = '', max_message_id }) => ({ name: topic, lastId: max_message_id }))
})

/** Returns all topics of a channel, possibly thousands; undefined until loaded. */
export function topicListOf(channelId: number): readonly Topic[] | undefined {
  return allTopics.of(channelId)
}

export function hasTopicListFailed(channelId: number): boolean {
  return allTopics.hasFailed(channelId)
}

export function retryTopicList(channelId: number): void {
  allTopics.retry(channelId)
}

export function topicsOf(channelId: number): readonly string[] {
  return topicNames(allTopics.of(channelId))
}

export function newestTopicsOf(channelId: number): readonly string[] {
  return topicNames(newestTopics.of(channelId))
}

export function retryNewestTopics(channelId: number): void {
  newestTopics.retry(channelId)
}

function topicNames(topics: readonly Topic[] = []): readonly string[] {
  return topics.map(({ name }) => name)
}
