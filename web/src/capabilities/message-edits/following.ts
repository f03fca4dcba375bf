import { isEvent } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { batch } from '@preact/signals'
import { destinationKey } from '../../kernel/destination.ts'
import { conversationOfMessage, parseMove } from '../../kernel/message.ts'
import { placeKey } from '../../kernel/route.ts'
import { messages, sync } from '../../platform/client.ts'
import { changeRouteOfView, go, shownRoute } from '../../platform/router.ts'
import { moveClip } from '../clips/state.ts'
import { currentComposition } from '../composer/state.ts'
import { moveDraftWithConversation } from '../drafts/state.ts'
import { ownId } from '../users/state.ts'
import type { Topic } from './moving.ts'
import { caseKey } from '@parley/server/kernel/case-key'

/** Topics moved or renamed entirely since the client started. */
const movedTopics = new Map<string, Topic>()
const MAX_MOVES = 1_000

export function currentTopic(from: Topic): Topic | undefined {
  let place = movedTopics.get(topicKey(from))
  // Limits the steps, because topics can be moved in a circle.
  for (let steps = 0; place !== undefined && steps < MAX_MOVES; steps++) {
    const next = movedTopics.get(topicKey(place))
    if (next === undefined) return place
    place = next
  }
  return undefined
}

function topicKey({ view, channelId, topic }: Topic): string {
  return placeKey({ view, channelId, topic: caseKey(topic) })
}

/** Opens a linked message at its current location. Changes nothing if the message is hidden, deleted, or unknown. */
export async function openMovedMessage(id: number): Promise<void> {
  const route = shownRoute()
  if (!('near' in route) || route.near !== id) return
  await messages.fetch([id]).catch(() => undefined)
  const message = messages.get(id)?.peek()
  if (message === undefined || shownRoute() !== route) return
  go({ ...conversationOfMessage(message, ownId()), near: id }, { replace: true })
}

export function followMoves(): void {
  messages.onMissingLinked = (id) => void openMovedMessage(id)
  messages.follow((ids) => ids.includes(focusedEditId()))
  sync.listen((event) => {
    if (!isEvent(event, messageEdits.messageUpdated)) return
    const move = parseMove(event)
    if (move === undefined) return
    const { from, to, isWhole } = move
    if (isWhole) recordMove(from, to)
    const route = shownRoute()
    const isShown = route.view === 'topic' && topicKey(route) === topicKey(from)
    if (!isWhole) {
      if (!isShown || !event.message_ids.includes(focusedEditId())) return
      currentComposition.value?.follow(from, to)
      return changeRouteOfView(to)
    }
    // Updates both in one batch, so that the composer never shows the former topic without its draft.
    batch(() => {
      // The topic in the URL can differ in case from the topic in the event.
      const { value: writing } = currentComposition
      const shown = writing && destinationKey(writing.destination.value)
      const at = isShown ? { view: 'topic' as const, channelId: route.channelId, topic: route.topic } : from
      moveDraftWithConversation(at, to, shown)
      writing?.follow(from, to)
      moveClip(destinationKey(at), destinationKey(to))
    })
    if (isShown) changeRouteOfView({ ...route, ...to })
  })
}

function focusedEditId(): number {
  return Number(document.activeElement?.closest('.editor')?.closest<HTMLElement>('[data-row]')?.dataset['row'])
}

function recordMove(from: Topic, to: Topic): void {
  if (movedTopics.size >= MAX_MOVES) movedTopics.clear()
  movedTopics.delete(topicKey(to))
  movedTopics.set(topicKey(from), to)
}
