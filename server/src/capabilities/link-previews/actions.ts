import { hash } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { SharedTx, Tx } from '../../kernel/transaction.ts'
import { beginPiece, ATTEMPT_TIMEOUT_SECONDS } from '../../platform/jobs/pieces.ts'
import { emitContentUpdate } from '../message-edits/actions/emit.ts'
import { rewriteRendering } from '../messages/actions/change.ts'
import { messagesById } from '../messages/queries/index.ts'
import { WAITING_PREVIEW_LIMIT } from './contract.ts'
import {
  duePreview,
  MESSAGES_PER_TRANSACTION,
  messagesLinkingPreview,
  previewsOfMessages,
  type DuePreview,
} from './queries.ts'
import { appendPreviews, type PreviewPicture, type ShownPreview } from './rules.ts'

const FRESH_PREVIEW_SECONDS = 7 * 86_400
const FRESH_EMPTY_PREVIEW_SECONDS = 3_600
/** Time without progress after which the server that claimed a link counts as crashed. */
const PREVIEW_CLAIM_SECONDS = 2 * ATTEMPT_TIMEOUT_SECONDS

/** Schedules fetches of new and outdated links. Returns available previews. */
export async function requestPreviews(
  tx: SharedTx,
  messageId: number,
  addresses: readonly string[],
): Promise<ShownPreview[]> {
  const { organizationId, db } = tx
  await db.rows('unlink_previews', 'delete from link_preview_messages where organization_id = $1 and message_id = $2', [
    organizationId,
    messageId,
  ])
  for (const [place, url] of addresses.entries()) {
    const preview_id = await previewIdFor(tx, url)
    if (preview_id === undefined) continue
    await db
      .insertInto('link_preview_messages')
      .values({ organization_id: organizationId, message_id: messageId, preview_id, place })
      .execute()
  }
  if (addresses.length === 0) return []
  return (await previewsOfMessages(db, organizationId, [messageId])).get(messageId) ?? []
}

/** Schedules a fetch if needed. Returns undefined for a new link while too many links are waiting. */
async function previewIdFor(tx: SharedTx, url: string): Promise<number | undefined> {
  const { organizationId, db } = tx
  const url_digest = hash('sha256', url, 'buffer')
  const { rows } = await sql<{ id: number; isOld: boolean }>`
    select id, due_at is null and fetched_at < ${tx.now} - case
      when title = '' and picture is null then ${FRESH_EMPTY_PREVIEW_SECONDS}::bigint else ${FRESH_PREVIEW_SECONDS}::bigint end as "isOld"
    from link_previews where organization_id = ${organizationId} and url_digest = ${url_digest}`.execute(db)
  const [known] = rows
  if (known?.isOld === false) return known.id
  if (await hasTooManyWaitingPreviews(tx)) return known?.id
  if (known !== undefined) {
    await db
      .updateTable('link_previews')
      .set({ due_at: tx.now, attempts: 0 })
      .where('organization_id', '=', organizationId)
      .where('id', '=', known.id)
      .execute()
    return known.id
  }
  const id = tx.nextId()
  await db
    .insertInto('link_previews')
    .values({ organization_id: organizationId, id, url, url_digest, picture: null, fetched_at: null, due_at: tx.now })
    .execute()
  return id
}

async function hasTooManyWaitingPreviews({ db, organizationId }: SharedTx): Promise<boolean> {
  const { most } = WAITING_PREVIEW_LIMIT
  const rows = await db.rows<{ count: number }>(
    'waiting_previews',
    `select count(*)::int as count from (
       select from link_previews where organization_id = $1 and due_at is not null limit $2) waiting`,
    [organizationId, most],
  )
  return (rows[0]?.count ?? 0) >= most
}

export async function showPreviews(tx: Tx, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  const messages = await messagesById(tx.db, tx.organizationId, messageIds)
  const below = await previewsOfMessages(tx.db, tx.organizationId, messageIds)
  for (const message of messages.values()) {
    const { id, content } = message
    const renderedContent = appendPreviews(message.renderedContent, below.get(id) ?? [])
    if (renderedContent === message.renderedContent) continue
    await rewriteRendering(tx, id, renderedContent)
    await emitContentUpdate(tx, message, { user_id: null, rendering_only: true, content, renderedContent })
  }
}

export async function claimPreview(tx: Tx, id: number): Promise<DuePreview | undefined> {
  const preview = await duePreview(tx.db, tx.organizationId, id, tx.now)
  return preview === undefined ? undefined : beginPiece(tx, 'link_previews', preview, PREVIEW_CLAIM_SECONDS)
}

export interface FetchedPreview {
  readonly title: string
  readonly description: string
  readonly picture: (PreviewPicture & { readonly bytes: number }) | undefined
}

export interface PreviewProgress {
  readonly isKept: boolean
  /** ID before which messages still lack the preview; undefined when all messages show it. */
  readonly before: number | undefined
}

/** An empty result does not replace the former preview. The claim lasts until `showPreviewOnOlderMessages` is done. */
export async function storePreview(
  tx: Tx,
  due: ClaimedPreview,
  { title, description, picture }: FetchedPreview,
): Promise<PreviewProgress> {
  const found =
    title === '' && picture === undefined
      ? {}
      : {
          title,
          description,
          picture: picture?.name ?? null,
          width: picture?.width ?? 0,
          height: picture?.height ?? 0,
          content_type: picture?.contentType ?? '',
          is_animated: picture?.isAnimated ?? false,
          picture_bytes: picture?.bytes ?? 0,
        }
  return showPreviewOnMessageBatch(tx, due, { ...found, fetched_at: tx.now })
}

export async function showPreviewOnOlderMessages(
  tx: Tx,
  due: ClaimedPreview,
  before: number,
): Promise<PreviewProgress> {
  return showPreviewOnMessageBatch(tx, due, {}, before)
}

type ClaimedPreview = Pick<DuePreview, 'id' | 'attempts'>

async function showPreviewOnMessageBatch(
  tx: Tx,
  { id, attempts }: ClaimedPreview,
  found: Updateable<Tables['link_previews']>,
  before?: number,
): Promise<PreviewProgress> {
  const linking = await messagesLinkingPreview(tx.db, tx.organizationId, id, before)
  const isEnd = linking.length < MESSAGES_PER_TRANSACTION
  const until = tx.now + PREVIEW_CLAIM_SECONDS
  const { numUpdatedRows } = await tx.db
    .updateTable('link_previews')
    .set({ ...found, ...(isEnd ? NO_SCHEDULED_FETCH : { due_at: until, begun_until: until }) })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('begun_until', '>', 0)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return { isKept: false, before: undefined }
  await showPreviews(tx, linking)
  return { isKept: true, before: isEnd ? undefined : linking.at(-1) }
}

const NO_SCHEDULED_FETCH = { due_at: null, attempts: 0, begun_until: 0 }

export async function abandonPreview(tx: Tx, id: number): Promise<void> {
  await tx.db
    .updateTable('link_previews')
    .set({ fetched_at: tx.now, ...NO_SCHEDULED_FETCH })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
}

export interface DeletionProgress {
  readonly hasMore: boolean
  /** Name of the picture to delete; null while a message still shows it. */
  readonly picture: string | null
}

const NOTHING_DELETED: DeletionProgress = { hasMore: false, picture: null }

export async function deleteUnlinkedPreview(tx: Tx, id: number): Promise<DeletionProgress> {
  const linking = await messagesLinkingPreview(tx.db, tx.organizationId, id)
  return linking.length === 0 ? deletePreview(tx, id) : NOTHING_DELETED
}

/** Removes one batch of the preview's links to messages. With the last batch, removes the preview, too. */
export async function deletePreview(tx: Tx, id: number): Promise<DeletionProgress> {
  const { organizationId, db } = tx
  // Skips a preview with a scheduled fetch, because it is needed again.
  const preview = await db
    .selectFrom('link_previews')
    .select('picture')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('due_at', 'is', null)
    .executeTakeFirst()
  if (preview === undefined) return NOTHING_DELETED
  const linking = await messagesLinkingPreview(db, organizationId, id)
  if (linking.length > 0) {
    await db
      .deleteFrom('link_preview_messages')
      .where('organization_id', '=', organizationId)
      .where('preview_id', '=', id)
      .where('message_id', 'in', linking)
      .execute()
    await showPreviews(tx, linking)
  }
  if (linking.length === MESSAGES_PER_TRANSACTION) return { hasMore: true, picture: null }
  await db.deleteFrom('link_previews').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  return { hasMore: false, picture: preview.picture }
}
