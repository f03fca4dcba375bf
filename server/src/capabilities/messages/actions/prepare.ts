import { isBlank } from '../../../kernel/characters.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import type { Rendered } from '../../../platform/markdown/job.ts'
import { renderMessage } from '../../../platform/markdown/render.ts'
import { alertedBy } from '../../alert-words/rules.ts'
import { isInScope } from '../../api-tokens/rules.ts'
import { channelById } from '../../channels/queries/index.ts'
import { linkableBy, readable, type WritingServer } from '../../channels/rules/index.ts'
import type { Member } from '../../groups/rules.ts'
import { fetchableAt, previewsOf } from '../../uploads/queries.ts'
import type * as contract from '../contract/index.ts'
import { checkMentions } from '../rules/mentions.ts'
import type { ContentFacts } from '../rules/recipients.ts'
import { widgetIn } from '../rules/widgets.ts'

/** A text as a message stores it, with the people that it addresses. */
export interface PreparedContent {
  readonly content: string
  readonly renderedContent: string
  readonly facts: ContentFacts
  /** The uploaded files that the text links and its author may fetch: they are shown to all its readers. */
  readonly uploadIds: readonly number[]
  /** The addresses elsewhere that the text links, of which previews may be shown below it. */
  readonly previewable: readonly string[]
  /** The widget that the text makes of a message that is sent, as JSON; null for none. */
  readonly widget: string | null
}

/** Who writes, and with which credentials where a request does. */
type Author = Member & Pick<Actor, 'token'>

/** What rendering a message's Markdown depends on beside its text. */
export interface RenderContext {
  readonly organization: OrganizationState
  readonly db: Db
  readonly server: WritingServer
}

/** The place of a text: a topic of a channel, or a direct conversation. */
export interface MessageLocation {
  /** Null for direct messages. */
  readonly channelId: number | null
  readonly topic: string
}

/**
 * Checks and renders a text that a user writes, for sending, scheduling and editing alike. It takes time and reads
 * the database, so it belongs before the transaction; in the transaction, `recipientsOf` tells whom the text reaches.
 * @throws Refusal BAD_REQUEST for an empty text or a group that the author may not mention;
 * STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 */
export async function prepareContent(
  { organization, db, server }: RenderContext,
  author: Author,
  place: MessageLocation,
  text: string,
): Promise<PreparedContent> {
  const content = text.trimEnd()
  if (isBlank(content)) throw new Refusal('BAD_REQUEST', 'Message must not be empty')
  const rendered = await renderAs(author, content, { organization, db, server })
  const asksParticipants = rendered.mentionsTopicWildcard && place.channelId !== null
  const facts = factsIn(
    organization,
    rendered,
    asksParticipants ? await participantsOf(organization, db, author, place) : [],
  )
  checkMentions(organization, author, place.channelId, facts)
  const uploads = await linkableFiles(db, organization, author, rendered.linkedUploads)
  const widget = widgetIn(content)
  return {
    content,
    renderedContent: rendered.html,
    facts,
    uploadIds: uploads.map(({ id }) => id),
    // Nothing stands below a widget, nor below the one line of what its author does.
    previewable: widget === null && !content.startsWith('/me ') ? rendered.previewable : [],
    widget,
  }
}

/** Renders what a user writes, with pictures of the files that the author may fetch. */
async function renderAs(
  author: Author,
  content: string,
  { organization, db, server }: RenderContext,
): Promise<Rendered> {
  return renderMessage(content, {
    ...linkableBy(organization, author, server),
    uploadPreviews: async (paths) => previewsOf(await linkableFiles(db, organization, author, paths)),
  })
}

/**
 * The files at some paths that a text shows to its readers: those that its author may fetch. A token of some channels opens no files, and
 * so shows none: a link to one stays a link, whether or not there is such a file.
 */
async function linkableFiles(
  db: Db,
  organization: OrganizationState,
  author: Author,
  paths: readonly string[],
): Promise<Awaited<ReturnType<typeof fetchableAt>>> {
  return isInScope(author, null) ? fetchableAt(db, organization, author, paths) : []
}

/** The people that a rendered text addresses. */
export function factsIn(
  organization: OrganizationState,
  rendered: Rendered,
  topicParticipantIds: readonly number[] = [],
): ContentFacts {
  return {
    mentionedUserIds: rendered.mentionedUserIds,
    mentionedGroupIds: rendered.mentionedGroupIds,
    mentionsChannel: rendered.mentionsChannelWildcard,
    topicParticipantIds,
    alertedUserIds: [...alertedBy(organization, rendered.text)],
  }
}

/**
 * All users who sent or reacted to a message in the topic that the author may read, and the author, who takes part by
 * writing. The author must not learn how many took part in protected history before.
 */
async function participantsOf(
  organization: OrganizationState,
  db: Db,
  author: Member,
  place: MessageLocation,
): Promise<number[]> {
  const channel = place.channelId === null ? undefined : channelById(organization, place.channelId)
  const readsAll = channel !== undefined && readable(organization, author, channel) === 'all'
  const rows = await db.rows<{ user_id: number }>(
    'topic_participants',
    `with m as materialized (
       select m.id, m.sender_id from topics t
       join messages m on m.organization_id = $1 and m.topic_id = t.id
       where t.organization_id = $1 and t.channel_id = $2 and t.name_key = $3
       and ($4 or (select s.periods @> m.id from subscriptions s
                   where s.organization_id = $1 and s.user_id = $5 and s.channel_id = $2)))
     select sender_id as user_id from m
     union
     select r.user_id from m join reactions r on r.organization_id = $1 and r.message_id = m.id`,
    [organization.id, place.channelId, caseKey(place.topic), readsAll, author.userId],
  )
  return [...new Set([author.userId, ...rows.map((row) => row.user_id)])]
}

/** A text as its author would see it sent. */
export async function renderContent(
  { log, actor, server, reads }: Call,
  { content }: Input<typeof contract.renderContent>,
): Promise<Output<typeof contract.renderContent>> {
  const { html } = await renderAs(actor, content.trimEnd(), { organization: log.organization, db: reads, server })
  return { rendered: html }
}
