import { call } from '@parley/client'
import { scheduledMessages } from '@parley/server/contract'
import { tl } from '../../kernel/later-texts.ts'
import type { Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { dueTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { callOrToast } from '../../platform/requests.ts'
import { go } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { canSend, resetComposer, sendQueued } from '../composer/actions.ts'
import type { Composition } from '../composer/composition.ts'
import { continueDraft, restoreUnsentText } from '../composer/state.ts'
import { draftText, replaceDraft } from '../drafts/state.ts'
import { removePlaceholders } from '../uploads/state.ts'

export function chooseSendTime(from: HTMLElement, writing: Composition): void {
  chooseTime(from, t().later.send, (seconds) => scheduleComposition(writing, seconds))
}

function scheduleComposition(writing: Composition, seconds: number): void {
  const { conversation, insertion } = writing
  if (insertion !== undefined) return void insertion.then(() => scheduleComposition(writing, seconds))
  if (conversation === undefined || !canSend(writing)) return
  const schedule = (place: Conversation, text: string): void => {
    const undone = (): void => restoreUnsentText(place, text)
    void sendLater(place, text, seconds, undone).then((isScheduled) => isScheduled || undone())
  }
  if (writing.isUploading)
    return writing.queue(() => sendQueued(conversation, (shown) => scheduleComposition(shown, seconds), schedule))
  const text = removePlaceholders(writing.content)
  // Resets first, so that the user can continue to write before the server has answered.
  resetComposer(writing)
  schedule(conversation, text)
}

async function sendLater(place: Conversation, content: string, seconds: number, undone: () => void): Promise<boolean> {
  const answer = await callOrToast(
    scheduledMessages.createScheduledMessage,
    createScheduleRequest(place, content, seconds),
  )
  if (answer === undefined) return false
  const { scheduled_message_id } = answer
  const undo = async (): Promise<void> => {
    await call(SESSION, scheduledMessages.deleteScheduledMessage, { scheduled_message_id })
    undone()
  }
  const link = { title: tl().writing.showScheduled, run: () => go({ view: 'scheduled' }) }
  offerUndo(tl().later.scheduled(dueTime(seconds)), undo, { link })
  return true
}

function createScheduleRequest(place: Conversation, content: string, seconds: number) {
  return {
    ...(place.view === 'topic'
      ? { type: 'channel' as const, to: place.channelId, topic: place.topic }
      : { type: 'direct' as const, to: [...place.userIds] }),
    content,
    scheduled_delivery_timestamp: seconds,
  }
}

type ScheduledMessage = scheduledMessages.ScheduledMessage

export function placeOfScheduled({ to, topic }: ScheduledMessage): Conversation {
  return typeof to === 'number' ? { view: 'topic', channelId: to, topic: topic ?? '' } : { view: 'direct', userIds: to }
}

export async function cancelScheduledMessage(message: ScheduledMessage): Promise<void> {
  await cancel(message, tl().writing.canceled, () => undefined)
}

/** Cancels the message, and continues its text as a draft. */
export async function editScheduledMessage(message: ScheduledMessage): Promise<void> {
  const [place, { content }] = [placeOfScheduled(message), message]
  const isCanceled = await cancel(message, tl().writing.unscheduled, () => {
    if (draftText(place) === content) replaceDraft(place, '')
  })
  if (isCanceled) continueDraft(place, content)
}

/** @param restored called when the message is scheduled again */
async function cancel(message: ScheduledMessage, title: string, restored: () => void): Promise<boolean> {
  const { scheduled_message_id, content, scheduled_delivery_timestamp: seconds } = message
  const answer = await callOrToast(scheduledMessages.deleteScheduledMessage, { scheduled_message_id })
  if (answer === undefined) return false
  const request = createScheduleRequest(placeOfScheduled(message), content, seconds)
  offerUndo(title, async () => {
    await call(SESSION, scheduledMessages.createScheduledMessage, request)
    restored()
  })
  return true
}
