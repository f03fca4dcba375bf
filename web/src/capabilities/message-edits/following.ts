import type { messageEdits } from '@parley/server/contract'
import { placeKey } from '../../kernel/route.ts'
import { sync } from '../../platform/client.ts'
import { go, shown } from '../../platform/router.ts'
import { draftText, moveDraft } from '../drafts/state.ts'
import type { Topic } from './moving.ts'

/** Where topics went that were moved or renamed as a whole while the client is open. */
const moves = new Map<string, Topic>()
const MOST_MOVES = 1_000

/** Where a topic is that was moved or renamed; undefined where that is not known. */
export function movedTo(from: Topic): Topic | undefined {
  let place = moves.get(keyOf(from))
  // It may have been moved on, and back.
  for (let steps = 0; place !== undefined && steps < MOST_MOVES; steps++) {
    const next = moves.get(keyOf(place))
    if (next === undefined) return place
    place = next
  }
  return undefined
}

function keyOf({ view, channelId, topic }: Topic): string {
  return placeKey({ view, channelId, topic: topic.toLowerCase() })
}

/** Goes with a topic that is on screen when all of it is moved or renamed; what is being written in it goes along. */
export function followMoves(): void {
  sync.hear((event) => {
    if (event.type !== 'update_message' || event['propagate_mode'] !== 'change_all') return
    // As the event declares it.
    const { stream_id, orig_subject, new_stream_id, subject } = event as unknown as messageEdits.MessageUpdate
    if (stream_id === undefined || orig_subject === undefined) return
    const from: Topic = { view: 'topic', channelId: stream_id, topic: orig_subject }
    const to: Topic = { view: 'topic', channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject }
    note(from, to)
    const route = shown()
    if (route.view !== 'topic' || keyOf(route) !== keyOf(from)) return
    const written = draftText(route)
    // Only the visible tab moves the draft: other tabs that show the topic would move it again.
    if (written !== '' && document.visibilityState === 'visible') moveDraft(route, to, written)
    go({ ...route, channelId: to.channelId, topic: to.topic }, { replace: true })
  })
}

function note(from: Topic, to: Topic): void {
  if (moves.size >= MOST_MOVES) moves.clear()
  moves.delete(keyOf(to))
  moves.set(keyOf(from), to)
}
