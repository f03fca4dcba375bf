import { isBlank } from '../../../kernel/characters.ts'
import type { TokenScope } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { RenderResult } from '../../../platform/markdown/job.ts'
import { renderMessage } from '../../../platform/markdown/render.ts'
import { usersAlertedBy } from '../../alert-words/rules.ts'
import { isChannelInTokenScope } from '../../api-tokens/rules.ts'
import { channelById } from '../../channels/queries/index.ts'
import { markdownContextFor, readablePart, type MarkdownServerFacts } from '../../channels/rules/index.ts'
import type { Member } from '../../groups/rules.ts'
import { fetchableFilesAt, previewsOf } from '../../uploads/queries.ts'
import type * as contract from '../contract/index.ts'
import { requireMayPostDuringLockDown, requireNewcomerMaySend } from '../queries/newcomers.ts'
import { requireAllowedMentions } from '../rules/mentions.ts'
import type { ContentFacts } from '../rules/recipients.ts'
import { parseWidget } from '../rules/payload.ts'

export interface ContentToStore {
  readonly content: string
  readonly renderedContent: string
  readonly facts: ContentFacts
  /** Linked uploads that the author can access; all readers get access. */
  readonly uploadIds: readonly number[]
  readonly previewable: readonly string[]
  readonly widget: string | null
}

export interface PreparedContent extends ContentToStore {
  /** The rendered text without markup. */
  readonly visibleText: string
}

interface MessageAuthor extends Member {
  readonly token?: Pick<TokenScope, 'channelIds'>
}

export interface RenderContext {
  readonly organization: OrganizationState
  readonly db: Db
  readonly server: MarkdownServerFacts
}

export interface MessageLocation {
  readonly channelId: number | null
  readonly topic: string
}

/** Slow: call it before the transaction. @throws ApiError like `requireAllowedMentions`, and BAD_REQUEST for an empty text */
export async function prepareContent(
  { organization, db, server }: RenderContext,
  author: MessageAuthor,
  place: MessageLocation,
  text: string,
): Promise<PreparedContent> {
  const content = text.trimEnd()
  if (isBlank(content)) throw new ApiError('BAD_REQUEST', 'Message must not be empty')
  const rendered = await renderContentAs(author, content, { organization, db, server })
  const asksParticipants = rendered.mentionsTopicWildcard && place.channelId !== null
  const facts = contentFactsOf(
    organization,
    rendered,
    asksParticipants ? await topicParticipants(organization, db, author, place) : [],
  )
  requireAllowedMentions(organization, author, place.channelId, facts)
  const uploads = await linkableFiles(db, organization, author, rendered.linkedUploads)
  const widget = parseWidget(content)
  return {
    content,
    renderedContent: rendered.html,
    visibleText: rendered.text,
    facts,
    uploadIds: uploads.map(({ id }) => id),
    // No previews below widgets or `/me` messages.
    previewable: widget === null && !content.startsWith('/me ') ? rendered.previewable : [],
    widget,
  }
}

/** Prepares a message that people send or edit, with the limits for new members and of a lock-down. Otherwise like `prepareContent`. */
export async function prepareMessage(
  context: RenderContext,
  author: MessageAuthor,
  place: MessageLocation,
  text: string,
): Promise<PreparedContent> {
  await requireMayPostDuringLockDown(context, author, place.channelId)
  const prepared = await prepareContent(context, author, place, text)
  await requireNewcomerMaySend(context, author, prepared.facts, [place.topic])
  return prepared
}

async function renderContentAs(
  author: MessageAuthor,
  content: string,
  { organization, db, server }: RenderContext,
): Promise<RenderResult> {
  const uploadPreviews = async (paths: readonly string[]) =>
    previewsOf(await linkableFiles(db, organization, author, paths))
  return renderMessage(content, markdownContextFor(organization, author, server, uploadPreviews))
}

/** A token limited to channels cannot access files, and must not learn whether they exist. */
async function linkableFiles(
  db: Db,
  organization: OrganizationState,
  author: MessageAuthor,
  paths: readonly string[],
): Promise<Awaited<ReturnType<typeof fetchableFilesAt>>> {
  return isChannelInTokenScope(author, null) ? fetchableFilesAt(db, organization, author, paths) : []
}

export function contentFactsOf(
  organization: OrganizationState,
  rendered: RenderResult,
  topicParticipantIds: readonly number[] = [],
): ContentFacts {
  return {
    mentionedUserIds: rendered.mentionedUserIds,
    mentionedGroupIds: rendered.mentionedGroupIds,
    mentionsChannel: rendered.mentionsChannelWildcard,
    topicParticipantIds,
    alertedUserIds: [...usersAlertedBy(organization, rendered.text)],
    linksOutside: rendered.linksOutside,
  }
}

/** The author must not learn the number of participants in hidden history. */
async function topicParticipants(
  organization: OrganizationState,
  db: Db,
  author: Member,
  place: MessageLocation,
): Promise<number[]> {
  const channel = place.channelId === null ? undefined : channelById(organization, place.channelId)
  const readsAll = channel !== undefined && readablePart(organization, author, channel) === 'all'
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

export async function renderContent(
  { organization, actor, db }: Reader,
  { content }: Input<typeof contract.renderContent>,
  server: ServerFacts,
): Promise<Output<typeof contract.renderContent>> {
  const { html } = await renderContentAs(actor, content.trimEnd(), { organization, db, server })
  return { rendered: html }
}
