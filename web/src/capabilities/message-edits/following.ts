import { isEvent } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { placeKey } from '../../kernel/route.ts'
import { sync } from '../../platform/client.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { followConversation } from '../drafts/state.ts'
import type { Topic } from './moving.ts'
import { caseKey } from '@parley/server/kernel/case-key'

/** Topics moved or renamed entirely since the client started. */
const moves = new Map<string, Topic>()
const MAX_MOVES = 1_000

export function currentTopic(from: Topic): Topic | undefined {
  let place = moves.get(keyOf(from))
  // The topic may have been moved several times, even in a circle.
  for (let steps = 0; place !== undefined && steps < MAX_MOVES; steps++) {
    const next = moves.get(keyOf(place))
    if (next === undefined) return place
    place = next
  }
  return undefined
}

function keyOf({ view, channelId, topic }: Topic): string {
  return placeKey({ view, channelId, topic: caseKey(topic) })
}

export function followMoves(): void {
  sync.listen((event) => {
    if (!isEvent(event, messageEdits.messageUpdated) || event.propagate_mode !== 'change_all') return
    const { stream_id, orig_subject, new_stream_id, subject } = event
    if (stream_id === undefined || orig_subject === undefined) return
    const from: Topic = { view: 'topic', channelId: stream_id, topic: orig_subject }
    const to: Topic = { view: 'topic', channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject }
    note(from, to)
    const route = shownRoute()
    const isShown = route.view === 'topic' && keyOf(route) === keyOf(from)
    // An address can differ from the topic in case.
    followConversation(isShown ? { view: 'topic', channelId: route.channelId, topic: route.topic } : from, to)
    if (!isShown) return
    go({ ...route, channelId: to.channelId, topic: to.topic }, { replace: true })
  })
}

function note(from: Topic, to: Topic): void {
  if (moves.size >= MAX_MOVES) moves.clear()
  moves.delete(keyOf(to))
  moves.set(keyOf(from), to)
}
