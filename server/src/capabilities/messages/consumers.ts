import type { Actor } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { ConsumedEvent, Consumer } from '../../platform/consumers/consumer.ts'
import { hasFirstMessage, storeFirstMessage } from '../channels/actions/access.ts'
import { channelById } from '../channels/queries/index.ts'
import { emitAttachmentLinksIn } from '../uploads/actions.ts'
import { raisePolicy } from '../user-topics/actions/index.ts'
import { followTopicForUsers } from '../user-topics/actions/following.ts'
import { automaticPolicy } from '../user-topics/rules.ts'
import { userById } from '../users/queries/index.ts'
import { messageSent } from './contract/index.ts'
import { pairEventsWithMessages, type StoredMessage } from './queries/index.ts'
import { startingTopicRaisesPolicy, followersAmong } from './rules/index.ts'
import type { MessagePayload } from './rules/payload.ts'

/** Records first messages, notifies owners of linked uploads, and follows or unmutes topics as users have chosen. */
export const followUpOnMessages: Consumer<2 | 3> = {
  name: 'followUp',
  events: [messageSent],
  isNeeded: needsFollowUp,
  async run(tx, events, outcomes) {
    await storeFirstMessages(tx, events)
    await emitAttachmentLinksIn(
      tx,
      events.filter((event) => payloadOf(event).links === true).map(({ position }) => position),
    )
    const following = events.filter((event) => {
      const { takes_part, starts_topic, to_follow } = payloadOf(event)
      return takes_part === true || starts_topic === true || to_follow !== undefined
    })
    if (following.length === 0) return
    for (const [event, message] of await pairEventsWithMessages(tx, following)) {
      const policy = await raiseSenderPolicy(tx, message, payloadOf(event))
      if (policy !== undefined) outcomes.set(event.position, policy)
      await followForMentionedUsers(tx, message, payloadOf(event))
    }
  },
}

function payloadOf({ payload }: ConsumedEvent): MessagePayload {
  // Safe: the send statement writes this payload.
  return payload
}

function needsFollowUp(organization: OrganizationState, event: ConsumedEvent): boolean {
  const { links, takes_part, starts_topic, to_follow } = payloadOf(event)
  if (links === true || takes_part === true || starts_topic === true || to_follow !== undefined) return true
  const channel = channelOf(organization, event)
  return channel !== undefined && !hasFirstMessage(channel)
}

function channelOf(organization: OrganizationState, { audience }: ConsumedEvent): ReturnType<typeof channelById> {
  return 'channel' in audience ? channelById(organization, audience.channel) : undefined
}

async function storeFirstMessages(tx: Tx, events: readonly ConsumedEvent[]): Promise<void> {
  const channels = new Set(events.map((event) => channelOf(tx.organization, event)))
  for (const channel of channels) if (channel !== undefined) await storeFirstMessage(tx, channel)
}

async function raiseSenderPolicy(
  tx: Tx,
  { senderId, channelId, topic, client }: StoredMessage,
  { takes_part, starts_topic }: MessagePayload,
): Promise<2 | 3 | undefined> {
  const sender = userById(tx.organization, senderId)
  const channel = channelId === null ? undefined : channelById(tx.organization, channelId)
  if (sender?.isActive !== true || channel === undefined) return undefined
  const actor: Actor = { userId: senderId, role: sender.role, client }
  // The sender's permissions and settings may have changed.
  const isStart = starts_topic === true && startingTopicRaisesPolicy(tx.organization, { senderId, channelId })
  if (!isStart && takes_part !== true) return undefined
  const automatic = automaticPolicy(tx.organization, senderId, channel.id, isStart ? 'start' : 'send')
  return automatic && raisePolicy(Object.assign(tx, { actor }), channel.id, topic, automatic)
}

async function followForMentionedUsers(
  tx: Tx,
  { senderId, channelId, topic }: StoredMessage,
  { to_follow }: MessagePayload,
): Promise<void> {
  if (to_follow === undefined || channelId === null) return
  await followTopicForUsers(tx, followersAmong(tx.organization, { channelId, senderId }, to_follow), channelId, topic)
}
