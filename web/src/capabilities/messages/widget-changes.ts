import { call } from '@parley/client'
import { messages } from '@parley/server/contract'
import type { Message } from '../../kernel/message.ts'
import { PREDICTED_SUBMESSAGE_ID } from '../../platform/messages/message-store.ts'
import { predictAndSend } from '../../platform/predicted.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION, type PredictedEvent } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { ownId } from '../users/state.ts'

function createSubmessage({ id }: Message, data: object) {
  return { message_id: id, msg_type: 'widget', content: JSON.stringify(data) }
}

export async function addToWidget(message: Message, data: object): Promise<boolean> {
  return (await callOrToast(messages.sendSubmessage, createSubmessage(message, data))) !== undefined
}

/** Shows a change at once, and offers Undo. @param inverse cancels the change: submessages cannot be removed */
export async function changeWidget(message: Message, data: object, inverse: object, text: string): Promise<void> {
  const predicted = (change: object): PredictedEvent => ({
    type: 'submessage',
    submessage_id: PREDICTED_SUBMESSAGE_ID,
    sender_id: ownId(),
    ...createSubmessage(message, change),
  })
  const send = async (change: object) => call(SESSION, messages.sendSubmessage, createSubmessage(message, change))
  if (await predictAndSend(predicted(data), predicted(inverse), async () => send(data)))
    offerUndo(text, async () => send(inverse), { isQuiet: true })
}
