import type { Db } from '../../../kernel/transaction.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { channelsProjection, isSubscribed, subscribedPeriods, type Channel } from '../../channels/queries/index.ts'
import { directReadersSql } from '../../messages/queries/stored.ts'
import { nonSystemUsers } from '../../users/queries/index.ts'
import { EXPORT_TYPE } from '../contract.ts'
import { consentsToExport } from './index.ts'

export interface ExportScope {
  readonly userIds: readonly number[]
  readonly channels: readonly Channel[]
  readonly wholeIds: readonly number[]
  /** For each consenting subscriber of a private channel with protected history: the periods of the subscription. */
  readonly parts: readonly { readonly channelId: number; readonly periods: string }[]
}

export function exportScope(organization: OrganizationState, exportType: number): ExportScope {
  const consenting =
    exportType === EXPORT_TYPE.fullWithConsent
      ? nonSystemUsers(organization).filter((user) => user.isActive && user.botType === null && consentsToExport(user))
      : []
  const userIds = consenting.map(({ id }) => id)
  const readersOf = (channel: Channel): number[] =>
    userIds.filter((userId) => isSubscribed(organization, userId, channel.id))
  const channels = [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => !channel.inviteOnly || readersOf(channel).length > 0,
  )
  return {
    userIds,
    channels,
    wholeIds: channels.filter((channel) => !channel.inviteOnly || channel.historyPublic).map(({ id }) => id),
    parts: channels
      .filter((channel) => channel.inviteOnly && !channel.historyPublic)
      .flatMap((channel) =>
        readersOf(channel).map((userId) => ({
          channelId: channel.id,
          periods: formatMultirange(subscribedPeriods(organization, userId, channel.id)),
        })),
      ),
  }
}

function formatMultirange(periods: readonly (readonly [number, number | null])[]): string {
  return `{${periods.map(([start, end]) => `[${start},${end ?? ''})`).join(',')}}`
}

/** `conversation` is null for a channel message; `first` is the number of the first parameter of `exportScopeValues`. */
const includedMessageSql = (names: {
  readonly message: string
  readonly conversation: string
  readonly first: number
}): string => {
  const { message: m, first } = names
  return `(${m}.channel_id = any($${first}::bigint[]) or ${directReadersSql(names)} && $${first + 1}::bigint[] or exists (
    select from unnest($${first + 2}::bigint[], $${first + 3}::text[]) as part (channel_id, periods)
    where part.channel_id = ${m}.channel_id and ${m}.id <@ part.periods::int8multirange))`
}

function exportScopeValues({ wholeIds, userIds, parts }: ExportScope): readonly unknown[] {
  return [wholeIds, userIds, parts.map(({ channelId }) => channelId), parts.map(({ periods }) => periods)]
}

/** Few per page, because a message with its rendered content can have 100,000 characters. */
const MESSAGES_PER_PAGE = 200
const UPLOADS_PER_PAGE = 200
const LINKS_PER_PAGE = 1_000

interface RowWithId {
  readonly id: number
}

const EXPORTED_MESSAGES = `
  select m.id, m.sender_id, m.channel_id as stream_id, c.member_ids as recipient_ids,
    case when m.channel_id is null then '' else coalesce(m.topic_spelling, t.name) end as topic, m.content, m.rendered_content,
    m.date_sent as timestamp, m.client,
    (select coalesce(jsonb_agg(jsonb_build_object('user_id', r.user_id, 'emoji_name', r.emoji_name, 'emoji_code', r.emoji_code,
       'reaction_type', r.reaction_type) order by r.position), '[]') from reactions r
     where r.organization_id = $1 and r.message_id = m.id) as reactions,
    (select coalesce(jsonb_agg(jsonb_build_object('sender_id', s.sender_id, 'msg_type', s.msg_type, 'content', s.content)
       order by s.id), '[]') from submessages s where s.organization_id = $1 and s.message_id = m.id) as submessages,
    array(select a.attachment_id from attachment_messages a where a.organization_id = $1 and a.message_id = m.id
      order by a.attachment_id) as upload_ids,
    (select jsonb_build_object('scope', p.scope, 'pinned_by', p.pinned_by, 'pinned_at', p.pinned_at) from channel_pins p
     where p.organization_id = $1 and p.message_id = m.id and p.channel_id = m.channel_id) as pin
  from messages m
  join topics t on t.organization_id = $1 and t.id = m.topic_id
  left join conversations c on m.channel_id is null and c.organization_id = $1 and c.topic_id = m.topic_id
  where m.organization_id = $1 and m.id > $2 and m.id <= $3 and ${includedMessageSql({ message: 'm', conversation: 'c', first: 4 })}
  order by m.id limit ${MESSAGES_PER_PAGE}`

export function exportedMessages(db: Db, organizationId: number, upTo: number, included: ExportScope) {
  return readPages(MESSAGES_PER_PAGE, (after) =>
    db.rows<RowWithId>('exported_messages', EXPORTED_MESSAGES, [
      organizationId,
      after,
      upTo,
      ...exportScopeValues(included),
    ]),
  )
}

export interface ExportedUpload extends RowWithId {
  readonly owner_id: number
  readonly path_id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
  readonly date_created: number
}

const EXPORTED_UPLOADS = `
  select f.id, f.owner_id, f.path_id, f.name, f.content_type, f.size, f.date_created from attachments f
  where f.organization_id = $1 and f.id > $2 and f.id <= $3 and (f.owner_id = any($8::bigint[]) or exists (
    select from attachment_messages a
    join messages m on m.organization_id = $1 and m.id = a.message_id
    left join conversations c on m.channel_id is null and c.organization_id = $1 and c.topic_id = m.topic_id
    where a.organization_id = $1 and a.attachment_id = f.id and ${includedMessageSql({ message: 'm', conversation: 'c', first: 4 })}))
  order by f.id limit ${UPLOADS_PER_PAGE}`

/** Includes uploads that exported messages link to, and all uploads of consenting people. */
export function exportedUploads(db: Db, organizationId: number, upTo: number, included: ExportScope) {
  return readPages(UPLOADS_PER_PAGE, (after) => {
    const values = [organizationId, after, upTo, ...exportScopeValues(included), included.userIds]
    return db.rows<ExportedUpload>('exported_uploads', EXPORTED_UPLOADS, values)
  })
}

const EXPORTED_LINKS = `
  select id, channel_id as stream_id, title, url, created_by, created_at from channel_links
  where organization_id = $1 and id > $2 and id <= $3 and channel_id = any($4::bigint[])
  order by id limit ${LINKS_PER_PAGE}`

export async function* exportedLinks(db: Db, organizationId: number, upTo: number, { channels }: ExportScope) {
  const channelIds = channels.map(({ id }) => id)
  const rows = readPages(LINKS_PER_PAGE, (after) =>
    db.rows<RowWithId>('exported_links', EXPORTED_LINKS, [organizationId, after, upTo, channelIds]),
  )
  for await (const { id, ...link } of rows) yield { link_id: id, ...link }
}

async function* readPages<Row extends RowWithId>(
  full: number,
  read: (after: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let after = 0
  for (;;) {
    const rows = await read(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < full) return
    after = last.id
  }
}
