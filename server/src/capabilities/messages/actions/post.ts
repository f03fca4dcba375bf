import type { Audience } from '../../../kernel/audience.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/capability.ts'
import { execute } from '../../../platform/db/database.ts'
import { renderMessage } from '../../../platform/markdown/render.ts'
import { noteFirstMessage } from '../../channels/actions/access.ts'
import type { Channel } from '../../channels/queries.ts'
import { linkableByServer } from '../../channels/rules.ts'
import { notificationBot } from '../../users/queries.ts'
import { messageSent } from '../contract/index.ts'
import type { MessagePayload } from './batch.ts'
import { beginConversation, type Conversation } from './conversations.ts'
import { PLACE_MESSAGES, protectedChannels } from './placing.ts'

/** Where a message goes: a topic of a channel, as the transaction leaves the channel, or the conversation of users. */
export type PostPlace =
  { readonly channel: Channel; readonly topic: string } | { readonly memberIds: readonly number[] }

/** A message that another change brings with it. Whether its sender may send it is the caller's question. */
export interface Post {
  readonly place: PostPlace
  readonly senderId: number
  readonly content: string
  readonly renderedContent: string
  readonly client: string
  readonly readBySender: boolean
}

const POST = `
with m as materialized (
  select * from unnest($4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::bigint[], $10::text[],
                       $11::text[], $12::text[], $13::boolean[])
  as m(id, channel_id, conversation_topic_id, topic, topic_key, sender_id, content, rendered_content, client,
       read_by_sender)),
${PLACE_MESSAGES}
select count(*) from p`

/**
 * Sends messages as part of another change: they are there when it is, and not without it.
 * @returns their ids, in order
 */
export async function postMessages(tx: Tx, posts: readonly Post[]): Promise<number[]> {
  if (posts.length === 0) return []
  const placed: (Post & { conversation: Conversation | null; channelId: number | null; topic: string })[] = []
  for (const post of posts) {
    placed.push(
      'channel' in post.place
        ? { ...post, conversation: null, channelId: post.place.channel.id, topic: post.place.topic }
        : { ...post, conversation: await beginConversation(tx, post.place.memberIds), channelId: null, topic: '' },
    )
  }
  const ids = placed.map((post) => {
    const payload: MessagePayload = post.readBySender ? { read_by: post.senderId } : {}
    return tx.record(messageSent, { ...payload }, audienceOfPost(post.place))
  })
  await execute(tx.db, POST, [
    tx.organizationId,
    tx.now,
    protectedChannels(tx.world, placed),
    ids,
    placed.map((post) => post.channelId),
    placed.map((post) => post.conversation?.topicId ?? null),
    placed.map((post) => post.topic),
    placed.map((post) => caseKey(post.topic)),
    placed.map((post) => post.senderId),
    placed.map((post) => post.content),
    placed.map((post) => post.renderedContent),
    placed.map((post) => post.client),
    placed.map((post) => post.readBySender),
  ])
  const channels = new Map(
    posts.flatMap(({ place }) => ('channel' in place ? [[place.channel.id, place.channel] as const] : [])),
  )
  for (const channel of channels.values()) await noteFirstMessage(tx, channel)
  return ids
}

function audienceOfPost(place: PostPlace): Audience {
  return 'channel' in place ? { channel: place.channel.id } : { users: place.memberIds }
}

const NOTICE_CLIENT = 'Parley'

/**
 * A message of the notification bot. Its Markdown may link every channel, so the place must be one whose readers may
 * know of those it names; names that people chose go into it only where Markdown cannot take them for more.
 * @param place for a direct message, only the receiver
 * @param changed channels as the transaction leaves them, where the notice names them
 */
export async function notice(
  tx: Tx,
  server: ServerFacts,
  place: { readonly channel: Channel; readonly topic: string } | { readonly userId: number },
  content: string,
  changed: readonly Channel[] = [],
): Promise<Post> {
  const bot = notificationBot(tx.world)
  const { html } = await renderMessage(content, linkableByServer(tx.world, server.urlOf(tx.world), changed))
  return {
    place: 'channel' in place ? place : { memberIds: [bot.id, place.userId].toSorted((a, b) => a - b) },
    senderId: bot.id,
    content,
    renderedContent: html,
    client: NOTICE_CLIENT,
    readBySender: true,
  }
}
