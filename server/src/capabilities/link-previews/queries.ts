import type { Db } from '../../kernel/transaction.ts'
import type { FileCall, StoredFile } from '../../platform/files/serve.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { hostSql, fairPageSql, type ConcurrencyLimits } from '../../platform/jobs/concurrency-limits.ts'
import { THUMBNAIL_FORMATS, type ThumbnailFormat } from '../uploads/contract.ts'
import { PREVIEW_LIMIT } from './contract.ts'
import type { PreviewPicture, ShownPreview } from './rules.ts'

export const CONCURRENCY_LIMITS: ConcurrencyLimits = {
  maxUnits: 24,
  maxUnitsPerOrganization: 6,
  maxUnitsPerHost: 4,
  maxUnitsPerPerson: 2,
  maxUnitsPerPersonAndHost: 1,
}

const FIRST_LINKING_USER_SQL = `coalesce((
  select m.sender_id from link_preview_messages l
  join messages m on m.organization_id = l.organization_id and m.id = l.message_id
  where l.organization_id = p.organization_id and l.preview_id = p.id order by l.message_id limit 1), 0)`

const DUE_PREVIEWS = fairPageSql(
  `select p.organization_id, p.id, p.due_at, ${FIRST_LINKING_USER_SQL} as person, ${hostSql('p.url')} as host
   from link_previews p
   join organization_settings o on o.organization_id = p.organization_id and not o.deactivated
   where p.due_at <= $1 and p.begun_until <= $1`,
  CONCURRENCY_LIMITS,
)

export async function duePreviews(db: Db, now: number, full: readonly string[]): Promise<DueJob[]> {
  return db.rows<DueJob>('due_previews', DUE_PREVIEWS, [now, full])
}

export interface DuePreview {
  readonly id: number
  readonly url: string
  readonly linkedBy: number
  readonly attempts: number
  readonly picture: string | null
}

const DUE_PREVIEW = `
  select p.id, p.url, ${FIRST_LINKING_USER_SQL} as "linkedBy", p.attempts, p.picture from link_previews p
  where p.organization_id = $1 and p.id = $2 and p.due_at <= $3 and p.begun_until <= $3`

export async function duePreview(
  db: Db,
  organizationId: number,
  id: number,
  now: number,
): Promise<DuePreview | undefined> {
  const [row] = await db.rows<DuePreview>('due_preview', DUE_PREVIEW, [organizationId, id, now])
  return row
}

const PREVIEWS_OF_MESSAGES = `
  select l.message_id as "messageId", p.url, p.title, p.description, p.picture as name, p.width, p.height,
    p.content_type as "contentType", p.is_animated as "isAnimated"
  from link_preview_messages l
  join link_previews p on p.organization_id = $1 and p.id = l.preview_id
  where l.organization_id = $1 and l.message_id = any($2::bigint[]) and (p.title <> '' or p.picture is not null)
  order by l.message_id, l.place`

type MessagePreviewRow = Omit<PreviewPicture, 'name'> &
  Omit<ShownPreview, 'picture'> & { readonly messageId: number; readonly name: string | null }

export async function previewsOfMessages(
  db: Db,
  organizationId: number,
  messageIds: readonly number[],
): Promise<Map<number, ShownPreview[]>> {
  const rows = await db.rows<MessagePreviewRow>('previews_below', PREVIEWS_OF_MESSAGES, [organizationId, messageIds])
  const below = new Map<number, ShownPreview[]>()
  for (const { messageId, url, title, description, name, ...known } of rows) {
    const preview = { url, title, description, picture: name === null ? undefined : { name, ...known } }
    below.set(messageId, [...(below.get(messageId) ?? []), preview])
  }
  return below
}

/** Limited, so that other writers get a turn between transactions. */
export const MESSAGES_PER_TRANSACTION = 20

const MESSAGES_LINKING_PREVIEW = `
  select message_id as id from link_preview_messages where organization_id = $1 and preview_id = $2 and message_id < $3
  order by message_id desc limit ${MESSAGES_PER_TRANSACTION}`

export async function messagesLinkingPreview(
  db: Db,
  organizationId: number,
  previewId: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<number[]> {
  return previewIdsOf(
    await db.rows<{ id: number }>('messages_linking', MESSAGES_LINKING_PREVIEW, [organizationId, previewId, before]),
  )
}

export function pictureKey(organizationId: number, name: string, format: Pick<ThumbnailFormat, 'name'>): string {
  return `previews/${organizationId}/${name.slice(0, 2)}/${name.slice(2)}-${format.name}`
}

export function pictureKeys(organizationId: number, name: string): string[] {
  return THUMBNAIL_FORMATS.map((format) => pictureKey(organizationId, name, format))
}

const PICTURE_BY_NAME =
  'select is_animated as "isAnimated" from link_previews where organization_id = $1 and picture = $2'

/** The name is unguessable and appears only in messages that show the image. */
export async function previewPicture({ log, reads, parameters }: FileCall): Promise<StoredFile | undefined> {
  const { id: organizationId } = log.organization
  const name = parameters['name'] ?? ''
  const format = THUMBNAIL_FORMATS.find((one) => one.name === parameters['format'])
  if (format === undefined) return undefined
  const [found] = await reads.rows<{ isAnimated: boolean }>('preview_picture', PICTURE_BY_NAME, [organizationId, name])
  if (found === undefined || (format.animated && !found.isAnimated)) return undefined
  const type = `image/${format.format}`
  return { key: pictureKey(organizationId, name, format), type, name: format.name, inline: true, keep: 'ask' }
}

const UNLINKED_RETENTION_SECONDS = 86_400
const MAX_PICTURE_BYTES_PER_ORGANIZATION = 1_000_000_000
const PREVIEWS_PER_QUERY = 500
const MAX_ORGANIZATIONS_PER_RUN = 100

const UNLINKED_PREVIEW_CONDITION = `
  p.fetched_at < $1 and p.due_at is null and not exists (
    select from link_preview_messages l where l.organization_id = p.organization_id and l.preview_id = p.id)`

const ORGANIZATIONS_WITH_UNLINKED_PREVIEWS = `
  select distinct p.organization_id as "organizationId", 0 as id from link_previews p
  where ${UNLINKED_PREVIEW_CONDITION}
  limit ${MAX_ORGANIZATIONS_PER_RUN}`

export async function organizationsWithUnlinkedPreviews(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('with_unlinked_previews', ORGANIZATIONS_WITH_UNLINKED_PREVIEWS, [
    now - UNLINKED_RETENTION_SECONDS,
  ])
}

const UNLINKED_PREVIEWS = `
  select p.id from link_previews p where p.organization_id = $2 and ${UNLINKED_PREVIEW_CONDITION}
  order by p.fetched_at limit ${PREVIEWS_PER_QUERY}`

export async function unlinkedPreviews(db: Db, organizationId: number, now: number): Promise<number[]> {
  return previewIdsOf(
    await db.rows<{ id: number }>('unlinked_previews', UNLINKED_PREVIEWS, [
      now - UNLINKED_RETENTION_SECONDS,
      organizationId,
    ]),
  )
}

const ORGANIZATIONS_WITH_SURPLUS_PREVIEWS = `
  select organization_id as "organizationId", 0 as id from link_previews where due_at is null
  group by organization_id having count(*) > ${PREVIEW_LIMIT.most} or sum(picture_bytes) > ${MAX_PICTURE_BYTES_PER_ORGANIZATION}
  limit ${MAX_ORGANIZATIONS_PER_RUN}`

export async function organizationsWithSurplusPreviews(db: Db): Promise<DueJob[]> {
  return db.rows<DueJob>('with_surplus_previews', ORGANIZATIONS_WITH_SURPLUS_PREVIEWS, [])
}

const SURPLUS_PREVIEWS = `
  select kept.id from (
    select p.id, p.fetched_at, row_number() over newest as place, sum(p.picture_bytes) over newest as bytes
    from link_previews p where p.organization_id = $1 and p.due_at is null
    window newest as (order by p.fetched_at desc, p.id desc)
  ) kept
  where kept.place > ${PREVIEW_LIMIT.most} or kept.bytes > ${MAX_PICTURE_BYTES_PER_ORGANIZATION}
  order by kept.fetched_at limit ${PREVIEWS_PER_QUERY}`

export async function surplusPreviews(db: Db, organizationId: number): Promise<number[]> {
  return previewIdsOf(await db.rows<{ id: number }>('surplus_previews', SURPLUS_PREVIEWS, [organizationId]))
}

function previewIdsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id)
}
