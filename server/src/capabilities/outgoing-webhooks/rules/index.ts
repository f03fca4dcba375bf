import type { OrganizationState } from '../../../kernel/projection.ts'
import type { ConsumedEvent } from '../../../platform/consumers/consumer.ts'
import type { MessagePayload } from '../../messages/rules/payload.ts'
import { BOT_TYPE } from '../../users/contract/index.ts'
import { usersProjection } from '../../users/queries/index.ts'

export type Trigger = 'mention' | 'direct_message'

export interface TriggeredBot {
  readonly botId: number
  readonly trigger: Trigger
}

/** Selects mentioned bots that can read the message, and all bots of a direct conversation, regardless of the sender. */
export function triggeredBy(organization: OrganizationState, { audience, payload }: ConsumedEvent): TriggeredBot[] {
  // Safe: the send statement writes this payload.
  const { mentioned } = payload as MessagePayload
  const isDirect = !('channel' in audience) && 'users' in audience
  const addressed = isDirect ? audience.users : mentioned
  if (addressed === undefined || addressed.length === 0) return NONE
  const { bots } = organization.of(usersProjection)
  const outgoing = addressed.filter((userId) => {
    const bot = bots.get(userId)
    return bot?.botType === BOT_TYPE.outgoingWebhook && bot.isActive
  })
  if (outgoing.length === 0) return NONE
  return outgoing.map((botId) => ({ botId, trigger: isDirect ? 'direct_message' : 'mention' }))
}

const NONE: TriggeredBot[] = []
