import { call, type ApiEvent } from '@parley/client'
import { messages as declared } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** The topics of channels that were asked for, the one with the newest message first. */
const known = signal<ReadonlyMap<number, readonly string[]>>(new Map())
const asked = new Set<number>()

/** The topics of a channel; none until they are there. */
export function topicsOf(channelId: number): readonly string[] {
  if (!asked.has(channelId)) void load(channelId)
  return known.value.get(channelId) ?? []
}

async function load(channelId: number): Promise<void> {
  if (asked.size === 0) listen()
  asked.add(channelId)
  try {
    const given = { stream_id: channelId, allow_empty_topic_name: true }
    const { topics } = await call(SESSION, declared.getStreamTopics, given)
    known.value = new Map([...known.value, [channelId, topics.map(({ name }) => name)]])
  } catch {
    // Without them there are those with unread messages; they are asked for again when the channel is unfolded again.
    asked.delete(channelId)
  }
}

/** Keeps them true: what is said comes first, and what is moved or deleted is asked for anew. */
function listen(): void {
  sync.onBeginning(() => {
    asked.clear()
    known.value = new Map()
  })
  sync.hear((event) => {
    if (event.type === 'message') onMessage(event)
    else if (event.type === 'delete_message' || isMove(event)) {
      for (const channelId of [event['stream_id'], event['new_stream_id']].map(Number)) {
        if (asked.has(channelId)) void load(channelId)
      }
    }
  })
}

function isMove(event: ApiEvent): boolean {
  return event.type === 'update_message' && (event['subject'] !== undefined || event['new_stream_id'] !== undefined)
}

function onMessage(event: ApiEvent): void {
  // As the server declares the event.
  const { stream_id: channelId, subject } = event['message'] as { stream_id?: number; subject: string }
  if (channelId === undefined || !asked.has(channelId)) return
  const others = (known.value.get(channelId) ?? []).filter((name) => name.toLowerCase() !== subject.toLowerCase())
  known.value = new Map([...known.value, [channelId, [subject, ...others]]])
}
