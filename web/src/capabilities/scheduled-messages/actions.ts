import { call } from '@parley/client'
import { scheduledMessages } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { signal } from '@preact/signals'
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
import { restoreUnsentText } from '../composer/state.ts'
import { sendMessage } from '../messages/outbox.ts'
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
    await call(SESSION, scheduledMessages.deleteScheduledMessage, {
      scheduled_message_id: currentId(scheduled_message_id),
    })
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

/** Cancels the message, and sends it immediately. */
export async function sendScheduledNow(message: ScheduledMessage): Promise<void> {
  const { scheduled_message_id } = message
  if ((await callOrToast(scheduledMessages.deleteScheduledMessage, { scheduled_message_id })) === undefined) return
  const place = placeOfScheduled(message)
  sendMessage(place, message.content)
  go(place)
}

/** Changed texts that are not saved, by ID. Outlive the view, so that looking something up loses no text. */
export const editedTexts = signal<ReadonlyMap<number, string>>(new Map())

export function editScheduledText({ scheduled_message_id: id }: ScheduledMessage, text: string): void {
  editedTexts.value = new Map(editedTexts.value).set(id, text)
}

export function endScheduledEdit({ scheduled_message_id: id }: ScheduledMessage): void {
  editedTexts.value = new Map([...editedTexts.value].filter(([key]) => key !== id))
}

export function discardScheduledEdit(message: ScheduledMessage): void {
  const text = editedTexts.value.get(message.scheduled_message_id)
  endScheduledEdit(message)
  if (text === undefined || text === message.content) return
  offerUndo(tl().messages.editCanceled, async () => editScheduledText(message, text))
}

export async function saveScheduledText(message: ScheduledMessage): Promise<void> {
  const { scheduled_message_id: id, content: before } = message
  const content = editedTexts.value.get(id)
  const isSaved =
    content === undefined ||
    content === before ||
    (await change(id, { content }, { content: before }, tl().writing.changed))
  if (isSaved) endScheduledEdit(message)
}

export async function changeScheduledTime(message: ScheduledMessage, seconds: number): Promise<void> {
  const { scheduled_message_id: id, scheduled_delivery_timestamp: before } = message
  const inTime = (at: number): ScheduledChange => ({ scheduled_delivery_timestamp: at })
  await change(id, inTime(seconds), inTime(before), tl().later.scheduled(dueTime(seconds)))
}

type ScheduledChange = Pick<
  Input<typeof scheduledMessages.updateScheduledMessage>,
  'content' | 'scheduled_delivery_timestamp'
>

async function change(id: number, to: ScheduledChange, before: ScheduledChange, title: string): Promise<boolean> {
  const answer = await callOrToast(scheduledMessages.updateScheduledMessage, { scheduled_message_id: id, ...to })
  if (answer === undefined) return false
  offerUndo(title, async () =>
    call(SESSION, scheduledMessages.updateScheduledMessage, { scheduled_message_id: currentId(id), ...before }),
  )
  return true
}

/** IDs of messages that Undo scheduled again, by their former IDs. */
const renewedIds = new Map<number, number>()

function currentId(id: number): number {
  const renewed = renewedIds.get(id)
  return renewed === undefined ? id : currentId(renewed)
}

export async function cancelScheduledMessage(message: ScheduledMessage): Promise<void> {
  const { scheduled_message_id, content, scheduled_delivery_timestamp: seconds } = message
  if ((await callOrToast(scheduledMessages.deleteScheduledMessage, { scheduled_message_id })) === undefined) return
  const request = createScheduleRequest(placeOfScheduled(message), content, seconds)
  offerUndo(tl().writing.canceled, async () => {
    const { scheduled_message_id: renewed } = await call(SESSION, scheduledMessages.createScheduledMessage, request)
    renewedIds.set(scheduled_message_id, renewed)
  })
}
