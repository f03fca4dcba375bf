import { call } from '@parley/client'
import { channels } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { sync } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Who is in a channel; of one that was not asked for yet, and where one may not know it, nothing is known. */
export interface Subscribers {
  readonly userIds?: readonly number[]
  /** Why it is not known. */
  readonly failure?: string
}

const UNKNOWN: Subscribers = {}

const known = signal<ReadonlyMap<number, Subscribers>>(new Map())
/** Those of which what is known is true, or asked for just now. */
const asked = new Set<number>()
let isListening = false

/** Who is in a channel, kept true while it is shown. */
export function subscribersOf(channelId: number): Subscribers {
  const subscribers = known.value.get(channelId) ?? UNKNOWN
  if (!asked.has(channelId)) void load(channelId)
  return subscribers
}

async function load(channelId: number): Promise<void> {
  listen()
  asked.add(channelId)
  const answer = await call(SESSION, channels.getSubscribers, { stream_id: channelId }).then(
    ({ subscribers }): Subscribers => ({ userIds: subscribers }),
    (error: unknown): Subscribers => ({ failure: reasonOf(error) }),
  )
  known.value = new Map([...known.value, [channelId, answer]])
}

/** Asks again who is in a channel. */
export function askAgain(channelId: number): void {
  asked.delete(channelId)
  known.value = new Map([...known.value].filter(([id]) => id !== channelId))
}

/** After changes they are asked for again when they are needed, and shown as they were until then. */
function listen(): void {
  if (isListening) return
  isListening = true
  sync.onBeginning(() => {
    asked.clear()
    showAgain()
  })
  sync.hear((event) => {
    if (event.type !== 'subscription' || event.op === 'update') return
    // As the server declares the events.
    const { stream_ids: ofOthers, subscriptions: own } = event as Changed
    const channelIds = ofOthers ?? own?.map(({ stream_id: id }) => id) ?? []
    if (channelIds.filter((id) => asked.delete(id)).length > 0) showAgain()
  })
}

interface Changed {
  readonly stream_ids?: readonly number[]
  readonly subscriptions?: readonly { readonly stream_id: number }[]
}

function showAgain(): void {
  known.value = new Map(known.value)
}
