import { call, isEvent } from '@parley/client'
import { history, messageEdits } from '@parley/server/contract'
import { narrowOf, type Message } from '../../kernel/message.ts'
import { placeKey, type Place } from '../../kernel/route.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { isResolvedTopic, RESOLVED_PREFIX, unresolvedTopic } from '../../kernel/topic.ts'
import { sync } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { callOrToast } from '../../platform/requests.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { topicTitle } from '../places/title.tsx'
import { mayMoveWithinChannel } from './rules.ts'
import { openedDialog } from './state.ts'

export type Topic = Extract<Place, { view: 'topic' }>
export type MoveMode = messageEdits.PropagateMode

export const MOVE_MODES: readonly MoveMode[] = ['change_one', 'change_later', 'change_all']

export interface Move {
  readonly message: Message
  readonly mode: MoveMode
  readonly to: Topic
  readonly notifiesOld: boolean
  readonly notifiesNew: boolean
}

/** If the destination had other messages, Undo moves each message back separately. Larger moves have no Undo. */
const MAX_MESSAGES_MOVED_BACK = 100
/** Maximum wait for the event that lists the moved messages. */
const EVENT_WAIT_MILLISECONDS = 10_000

export async function moveMessages({ message, mode, to, notifiesOld, notifiesNew }: Move): Promise<boolean> {
  const from: Topic = { view: 'topic', channelId: message.stream_id ?? 0, topic: message.subject }
  const wasEmpty = (await newestMessageIn(to)) === undefined
  const moved = idsMovedWith(message.id)
  const answer = await callOrToast(messageEdits.updateMessage, {
    message_id: message.id,
    propagate_mode: mode,
    ...changedFields(from, to),
    send_notification_to_old_thread: notifiesOld,
    send_notification_to_new_thread: notifiesNew,
  })
  if (answer === undefined) return false
  go(mode === 'change_all' ? to : { ...to, near: message.id })
  const isRename = mode === 'change_all' && to.channelId === from.channelId && wasEmpty
  void showMoveResult(moved, from, to, { wasEmpty, isRename })
  return true
}

async function showMoveResult(
  moved: Promise<readonly number[]>,
  from: Topic,
  to: Topic,
  { wasEmpty, isRename }: { readonly wasEmpty: boolean; readonly isRename: boolean },
): Promise<void> {
  const ids = await moved
  const name = topicTitle(to.topic)
  const text = isRename ? tl().move.renamed(name) : tl().move.moved(ids.length, name)
  if (ids.length === 0 || (!wasEmpty && ids.length > MAX_MESSAGES_MOVED_BACK)) toast(text)
  else
    offerUndo(text, async () => {
      await moveBack(ids, to, from, wasEmpty)
      const route = shownRoute()
      if (route.view === 'topic' && placeKey(route) === placeKey(to)) go({ ...from, near: ids[0] ?? 0 })
    })
}

/** @param isAll whether to move the whole topic with any newer messages, unless `ids` has only one ID */
async function moveBack(ids: readonly number[], from: Topic, to: Topic, isAll: boolean): Promise<void> {
  for (const id of isAll ? ids.slice(0, 1) : ids) {
    await call(SESSION, messageEdits.updateMessage, {
      message_id: id,
      propagate_mode: isAll && ids.length > 1 ? 'change_all' : 'change_one',
      ...changedFields(from, to),
      send_notification_to_new_thread: false,
      withdraw_notices: true,
    })
  }
}

function changedFields(from: Topic, to: Topic) {
  return {
    ...(to.topic === from.topic ? {} : { topic: to.topic }),
    ...(to.channelId === from.channelId ? {} : { stream_id: to.channelId }),
  }
}

/** Returns the IDs of the messages moved along with a message; empty if no event reports them in time. */
async function idsMovedWith(messageId: number): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const done = (ids: readonly number[]): void => {
      clearTimeout(timer)
      end()
      resolve(ids)
    }
    const end = sync.listen((event) => {
      if (!isEvent(event, messageEdits.messageUpdated) || event.message_id !== messageId) return
      if (event.subject !== undefined || event.new_stream_id !== undefined) done(event.message_ids)
    })
    const timer = setTimeout(() => done([]), EVENT_WAIT_MILLISECONDS)
  })
}

async function newestMessageIn(place: Topic): Promise<Message | undefined> {
  const answer = await callOrToast(history.getMessages, {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: narrowOf(place),
    allow_empty_topic_name: true,
  })
  return answer?.messages[0]
}

export async function openRename(place: Topic): Promise<void> {
  const message = await newestMessageIn(place)
  if (message === undefined) return
  if (mayMoveWithinChannel(message)) openedDialog.value = { name: 'rename', message }
  else toast(t().messages.tooLate)
}

export async function toggleResolved(place: Topic): Promise<void> {
  const { topic } = place
  const name = topicTitle(topic)
  await (isResolvedTopic(topic)
    ? renameTopic(place, unresolvedTopic(topic), tl().move.unresolved(name))
    : renameTopic(place, RESOLVED_PREFIX + topic, tl().move.resolved(name)))
}

async function renameTopic(place: Topic, topic: string, said: string): Promise<void> {
  const { id } = (await newestMessageIn(place)) ?? {}
  if (id === undefined) return
  const rename = (name: string) => ({
    message_id: id,
    topic: name,
    propagate_mode: 'change_all' as const,
    send_notification_to_new_thread: false,
  })
  if ((await callOrToast(messageEdits.updateMessage, rename(topic))) === undefined) return
  offerUndo(said, async () =>
    call(SESSION, messageEdits.updateMessage, { ...rename(place.topic), withdraw_notices: true }),
  )
}
