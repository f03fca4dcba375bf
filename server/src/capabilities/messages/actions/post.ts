import type { OrganizationState } from '../../../kernel/projection.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { numberParameters, orderedValues } from '../../../platform/db/parameters.ts'
import { renderMessage } from '../../../platform/markdown/render.ts'
import { storeFirstMessage } from '../../channels/actions/access.ts'
import { subscribersOf, type Channel } from '../../channels/queries/index.ts'
import { serverMarkdownContext } from '../../channels/rules/index.ts'
import { emitAttachmentLinks } from '../../uploads/actions.ts'
import { notificationBot, userById } from '../../users/queries/index.ts'
import { hasLimitedGuests, canSeeUser } from '../../users/rules/visibility.ts'
import { messageSent } from '../contract/index.ts'
import { findOrCreateConversation } from './conversations.ts'
import { contentFactsOf, type ContentToStore } from './prepare.ts'
import { followersAmong } from '../rules/index.ts'
import { missingWords } from './terms.ts'
import { createMessageInsert, type MessageInsert } from './send/outgoing.ts'
import { POST_PARTS } from './send/parts/index.ts'
import { wordsOfInserts } from './send/parts/words.ts'
import { postingSql, valuesFor } from './send/statement.ts'

export type PostDestination =
  { readonly channel: Channel; readonly topic: string } | { readonly memberIds: readonly number[] }

/** Message posted as part of another change. The caller checks permissions. */
export interface Post extends ContentToStore {
  readonly place: PostDestination
  readonly senderId: number
  readonly client: string
  readonly readBySender: boolean
  /** User whose action caused the message, and for whom it is not news. */
  readonly causedBy?: number
}

const POST_STATEMENT = numberParameters(postingSql(POST_PARTS))

export async function postMessages(tx: Tx, posts: readonly Post[]): Promise<number[]> {
  if (posts.length === 0) return []
  const inserts: MessageInsert[] = []
  for (const post of posts) inserts.push(await messageInsertForPost(tx, post))
  const ids = inserts.map(({ message, payload }) => tx.emitStored(messageSent, payload, message.audience))
  const { organization, now } = tx
  const newWords = missingWords(organization, wordsOfInserts(inserts))
  const batch = { organization, now, inserts, followers: [], newWords }
  await tx.db.rows(
    'post_messages',
    POST_STATEMENT.text,
    orderedValues(POST_STATEMENT, { ...valuesFor(POST_PARTS, batch), ids }),
  )
  await emitAttachmentLinks(
    tx,
    posts.flatMap(({ uploadIds }) => uploadIds),
  )
  const channels = new Map(
    posts.flatMap(({ place }) => ('channel' in place ? [[place.channel.id, place.channel] as const] : [])),
  )
  for (const channel of channels.values()) await storeFirstMessage(tx, channel)
  return ids
}

async function messageInsertForPost(tx: Tx, { place, ...post }: Post): Promise<MessageInsert> {
  const conversation = 'channel' in place ? null : await findOrCreateConversation(tx, place.memberIds)
  const insert = createMessageInsert(tx.organization, {
    ...post,
    channelId: 'channel' in place ? place.channel.id : null,
    topic: 'channel' in place ? place.topic : '',
    conversation,
    queueId: null,
    localId: null,
    key: null,
    audience: 'channel' in place ? { channel: place.channel.id } : { users: place.memberIds },
  })
  const to_follow = followersAmong(tx.organization, insert.message, insert.recipients.mentioned)
  return to_follow.length === 0 ? insert : { ...insert, payload: { ...insert.payload, to_follow } }
}

export type NoticeDestination = { readonly channel: Channel; readonly topic: string } | { readonly userId: number }

const NOTICE_CLIENT = 'Parley'

/** Callers must link only channels that all readers of the notice can see, and must escape names chosen by people. */
export async function prepareNotice(
  tx: Tx,
  server: ServerFacts,
  place: NoticeDestination,
  content: string,
  changed: readonly Channel[] = [],
): Promise<Post> {
  const rendered = await renderMessage(content, serverMarkdownContext(tx.organization, server, changed))
  const prepared = {
    content,
    renderedContent: rendered.html,
    facts: contentFactsOf(tx.organization, rendered),
    uploadIds: [],
    previewable: [],
    widget: null,
  }
  return postFromBot(tx.organization, place, prepared)
}

export function postFromBot(organization: OrganizationState, place: NoticeDestination, prepared: ContentToStore): Post {
  const bot = notificationBot(organization)
  return {
    ...prepared,
    place: 'channel' in place ? place : { memberIds: [bot.id, place.userId].toSorted((a, b) => a - b) },
    senderId: bot.id,
    client: NOTICE_CLIENT,
    readBySender: true,
  }
}

/** Mentions the actor silently, or returns `unnamed` if some readers must not learn who the actor is. */
export function mentionOfActor(
  tx: ActorTx,
  place: NoticeDestination,
  unnamed: 'Someone' | 'someone' = 'Someone',
): string {
  return mayReadersSeeActor(tx, place) ? silentMentionOf(tx.organization, tx.actor.userId) : unnamed
}

function mayReadersSeeActor({ organization, actor }: ActorTx, place: NoticeDestination): boolean {
  if (!hasLimitedGuests(organization)) return true
  if ('channel' in place) return subscribersOf(organization, place.channel.id).has(actor.userId)
  const [reader, named] = [userById(organization, place.userId), userById(organization, actor.userId)]
  return (
    reader !== undefined &&
    named !== undefined &&
    canSeeUser(organization, { userId: reader.id, role: reader.role }, named)
  )
}

export function silentMentionOf(organization: OrganizationState, userId: number): string {
  return `@_**${userById(organization, userId)?.fullName ?? ''}|${userId}**`
}

export function fenceText(text: string, kind: 'text' | 'quote' = 'text'): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}${kind}\n${text}\n${fence}`
}
