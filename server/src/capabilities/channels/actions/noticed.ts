import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { createChannelWithoutNotices } from './create.ts'
import { updateSubscriptionsWithoutNotices, subscribeWithoutNotices } from './subscribe.ts'
import { updateChannelWithoutNotices, archiveChannelWithoutNotices, type ChannelChange } from './update.ts'
import type * as contract from '../contract/index.ts'
import { channelById, type Channel } from '../queries/index.ts'
import { prepareNotice, postMessages, type Post } from '../../messages/actions/post.ts'
import { requireMayPostDuringLockDown } from '../../messages/queries/newcomers.ts'
import { MAX_NEW_SUBSCRIPTION_MESSAGES } from '../../organizations/contract/index.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { userById } from '../../users/queries/index.ts'
import { announcementText, changeNotices, creationNotice, subscriptionNotice } from './notices.ts'

export async function createChannel(
  tx: ActorTx,
  input: Input<typeof contract.createChannel>,
  server: ServerFacts,
): Promise<Output<typeof contract.createChannel>> {
  const { channel, subscriberIds } = await createChannelWithoutNotices(tx, input, server)
  const joined = new Map(subscriberIds.map((userId) => [userId, [channel]]))
  await postCreationNotices(tx, server, [channel], input.announce)
  if (input.send_new_subscription_messages) await postSubscriptionNotices(tx, server, joined)
  return { id: channel.id }
}

export async function subscribe(
  tx: ActorTx,
  input: Input<typeof contract.subscribe>,
  server: ServerFacts,
): Promise<Output<typeof contract.subscribe>> {
  const { answer, created, joined } = await subscribeWithoutNotices(tx, input, server)
  await postCreationNotices(tx, server, created, input.announce)
  if (!input.send_new_subscription_messages) return answer
  return { ...answer, new_subscription_messages_sent: await postSubscriptionNotices(tx, server, joined) }
}

export async function updateSubscriptions(
  tx: ActorTx,
  input: Input<typeof contract.updateSubscriptions>,
  server: ServerFacts,
): Promise<Output<typeof contract.updateSubscriptions>> {
  const { answer, created } = await updateSubscriptionsWithoutNotices(tx, input, server)
  await postCreationNotices(tx, server, created, false)
  return answer
}

export async function updateChannel(
  tx: ActorTx,
  input: Input<typeof contract.updateChannel>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  await postChangeNotices(tx, server, await updateChannelWithoutNotices(tx, input, server))
  return {}
}

export async function archiveChannel(
  tx: ActorTx,
  input: Input<typeof contract.archiveChannel>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  await postChangeNotices(tx, server, await archiveChannelWithoutNotices(tx, input))
  return {}
}

const CHANNEL_EVENTS_TOPIC = 'channel events'
const NEW_CHANNELS_TOPIC = 'new channels'

async function postCreationNotices(
  tx: ActorTx,
  server: ServerFacts,
  created: readonly Channel[],
  announce: boolean,
): Promise<void> {
  const posts: Post[] = []
  if (settingOf(tx.organization, 'send_channel_events_messages')) {
    for (const channel of created) {
      posts.push(
        await prepareNotice(
          tx,
          server,
          destinationWithAllowedTopic(tx, channel, CHANNEL_EVENTS_TOPIC),
          creationNotice(tx, channel),
        ),
      )
    }
  }
  const board = channelById(tx.organization, settingOf(tx.organization, 'new_stream_announcements_stream_id'))
  // Spectators can read the announcement in a web-public channel.
  const announced = announce
    ? created.filter((channel) => (board?.isWebPublic === true ? channel.isWebPublic : !channel.inviteOnly))
    : []
  if (announced.length > 0 && board !== undefined && !board.isArchived) {
    await requireMayPostDuringLockDown(tx, tx.actor, board.id)
    const place = destinationWithAllowedTopic(tx, board, NEW_CHANNELS_TOPIC)
    posts.push(await prepareNotice(tx, server, place, announcementText(tx, server, announced, place), announced))
  }
  await postMessages(tx, posts)
}

async function postChangeNotices(tx: ActorTx, server: ServerFacts, change: ChannelChange): Promise<void> {
  if (!settingOf(tx.organization, 'send_channel_events_messages')) return
  const posts: Post[] = []
  for (const text of changeNotices(tx, change)) {
    posts.push(
      await prepareNotice(tx, server, destinationWithAllowedTopic(tx, change.after, CHANNEL_EVENTS_TOPIC), text),
    )
  }
  await postMessages(tx, posts)
}

/** Sends nothing if there are too many users. Returns whether messages were sent. */
async function postSubscriptionNotices(
  tx: ActorTx,
  server: ServerFacts,
  joined: ReadonlyMap<number, readonly Channel[]>,
): Promise<boolean> {
  const receivers = [...joined].filter(
    ([userId, channels]) =>
      channels.length > 0 && userId !== tx.actor.userId && userById(tx.organization, userId)?.botType === null,
  )
  if (receivers.length > MAX_NEW_SUBSCRIPTION_MESSAGES) return false
  const posts: Post[] = []
  for (const [userId, channels] of receivers) {
    const text = subscriptionNotice(tx, server, channels, { userId })
    posts.push(await prepareNotice(tx, server, { userId }, text, channels))
  }
  await postMessages(tx, posts)
  return true
}

/** Uses the empty topic if the channel allows no other topics. */
export function destinationWithAllowedTopic(
  tx: Tx,
  channel: Channel,
  topic: string,
): { channel: Channel; topic: string } {
  const policy = channel.topicsPolicy === 'inherit' ? settingOf(tx.organization, 'topics_policy') : channel.topicsPolicy
  return { channel, topic: policy === 'empty_topic_only' ? '' : topic }
}
