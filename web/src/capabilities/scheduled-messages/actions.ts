import { call } from '@parley/client'
import { scheduledMessages } from '@parley/server/contract'
import type { Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'

/** Has the server send a message later. @param undone is called when that is undone. @returns whether it will be sent */
export async function sendLater(
  place: Conversation,
  content: string,
  seconds: number,
  undone: () => void,
): Promise<boolean> {
  const answer = await ask(scheduledMessages.createScheduledMessage, {
    ...(place.view === 'topic'
      ? { type: 'channel' as const, to: place.channelId, topic: place.topic }
      : { type: 'direct' as const, to: [...place.userIds] }),
    content,
    scheduled_delivery_timestamp: seconds,
  })
  if (answer === undefined) return false
  const { scheduled_message_id } = answer
  undoable(t().later.scheduled(localTime(seconds)), async () => {
    await call(SESSION, scheduledMessages.deleteScheduledMessage, { scheduled_message_id })
    undone()
  })
  return true
}
