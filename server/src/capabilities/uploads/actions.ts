import { randomBytes } from 'node:crypto'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { turnOwner } from '../../kernel/pauses.ts'
import { ApiError, undoIfRefused } from '../../kernel/refusal.ts'
import type { ActorTx, SharedActorTx, SharedTx, Tx } from '../../kernel/transaction.ts'
import type { PreparationCall } from '../../platform/request.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { removeFiles, removeStoredFiles, type FileChange, type StoredFiles } from '../../platform/files/pending.ts'
import type { ReceivedFile } from '../../platform/files/receive.ts'
import { randomName } from '../../platform/files/store.ts'
import { makeThumbnails } from '../../platform/pictures/pictures.ts'
import { requireNewcomerMayUpload } from '../messages/queries/newcomers.ts'
import { userById } from '../users/queries/index.ts'
import type * as contract from './contract.ts'
import {
  attachmentAdded,
  attachmentRemoved,
  attachmentUpdated,
  THUMBNAIL_FORMATS,
  type UploadedFile,
} from './contract.ts'
import {
  attachmentsById,
  fileKey,
  fileKeys,
  presentAttachments,
  thumbnailKey,
  unlinkedSql,
  uploadSpaceOf,
  type Attachment,
} from './queries.ts'
import { urlFileName, contentTypeOf, displayFileName, isPicture, detectContentType } from './rules.ts'

const MEBIBYTE = 1024 * 1024

type UploadContext = Pick<PreparationCall, 'actor' | 'log' | 'server'>

interface StoredUpload extends StoredFiles {
  readonly added: Omit<Attachment, 'id' | 'ownerId' | 'dateCreated'>
}

export async function storeFile(call: PreparationCall): Promise<StoredUpload> {
  if (call.file === undefined) throw new ApiError('BAD_REQUEST', 'You must specify a file to upload')
  return storeUpload(call, call.file)
}

export async function uploadFile(
  tx: ActorTx,
  _input: Input<typeof contract.uploadFile>,
  { added }: StoredUpload,
  server: ServerFacts,
): Promise<Output<typeof contract.uploadFile>> {
  await addAttachment(tx, added, server.uploadLimits.quotaMebibytes)
  const url = `/user_uploads/${added.pathId}`
  return { url, filename: added.name, uri: url }
}

export async function addUpload(call: UploadContext, file: ReceivedFile): Promise<Output<typeof contract.uploadFile>> {
  const { log, actor, server } = call
  const stored = await storeUpload(call, file)
  const adding = log.act(actor, async (tx) => uploadFile(tx, {}, stored, server))
  return undoIfRefused(adding, async () => removeStoredFiles(call, stored))
}

/** Stores the file durably before any database row refers to it. */
async function storeUpload(call: UploadContext, file: ReceivedFile): Promise<StoredUpload> {
  const { log } = call
  await requireNewcomerMayUpload({ organization: log.organization, db: log.lookups }, call.actor)
  if (file.size === 0) throw new ApiError('BAD_REQUEST', 'The file is empty')
  const name = displayFileName(file.name)
  const random = randomName()
  const pathId = `${log.organization.id}/${random.slice(0, 2)}/${random.slice(2)}/${urlFileName(name)}`
  const contentType = await detectContentType(file.path, contentTypeOf(name, file.type))
  const picture = isPicture(contentType) ? await decodePicture(call, file.path) : UNDECODED_PICTURE
  await writeUpload(call, pathId, file.path, picture)
  const { width, height, moving } = picture
  const added = { pathId, name, contentType, size: file.size, width, height, isAnimated: moving !== undefined }
  return { added, keys: fileKeys(pathId) }
}

/** Width and height are 0 if the file is not an image, and null if it was not decoded. */
interface DecodedPicture {
  readonly width: number | null
  readonly height: number | null
  readonly still: Buffer | undefined
  readonly moving: Buffer | undefined
}

const UNDECODED_PICTURE: DecodedPicture = { width: null, height: null, still: undefined, moving: undefined }
const NON_IMAGE_PICTURE: DecodedPicture = { ...UNDECODED_PICTURE, width: 0, height: 0 }

/** Never throws, because an upload can succeed without thumbnails. */
async function decodePicture({ server, log, actor }: UploadContext, path: string): Promise<DecodedPicture> {
  const { max_width, max_height } = THUMBNAIL_FORMATS[0]
  try {
    return await makeThumbnails(path, max_width, max_height, turnOwner(log.organization.id, actor.userId))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_IMAGE') return NON_IMAGE_PICTURE
    // An `ApiError` is not reported: it means that too many images are being processed.
    if (!(error instanceof ApiError)) server.report(error)
    return UNDECODED_PICTURE
  }
}

/** Writes the file and its thumbnails, or, if space runs out, nothing. */
async function writeUpload(
  call: UploadContext,
  pathId: string,
  path: string,
  { still, moving }: DecodedPicture,
): Promise<void> {
  try {
    await call.server.files.put(fileKey(pathId), path)
    for (const format of THUMBNAIL_FORMATS) {
      const bytes = format.animated ? moving : still
      if (bytes !== undefined) await call.server.files.write(thumbnailKey(pathId, format), bytes)
    }
  } catch (error) {
    await removeFiles(call, fileKeys(pathId))
    throw error
  }
}

async function addAttachment(tx: ActorTx, file: StoredUpload['added'], quotaMebibytes: number | null): Promise<void> {
  const used = await changeUsedStorage(tx, file.size)
  if (quotaMebibytes !== null && used > quotaMebibytes * MEBIBYTE) {
    throw new ApiError('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.")
  }
  const attachment: Attachment = { id: tx.nextId(), ownerId: tx.actor.userId, dateCreated: tx.now, ...file }
  await tx.db
    .insertInto('attachments')
    .values({
      organization_id: tx.organizationId,
      id: attachment.id,
      owner_id: attachment.ownerId,
      path_id: attachment.pathId,
      name: attachment.name,
      content_type: attachment.contentType,
      size: attachment.size,
      date_created: attachment.dateCreated,
      width: attachment.width,
      height: attachment.height,
      is_animated: attachment.isAnimated,
      unclaimed_since: tx.now,
    })
    .execute()
  const [shown] = await presentAttachments(tx.db, tx.organization, tx.actor, [attachment])
  if (shown === undefined) throw new Error('a file that was added is not shown')
  tx.emit(attachmentAdded, { attachment: shown, upload_space_used: used }, { users: [tx.actor.userId] })
}

export async function removeAttachment(
  tx: ActorTx,
  { attachment_id }: Input<typeof contract.removeAttachment>,
): Promise<FileChange<Record<string, never>>> {
  const [file] = await attachmentsById(tx.db, tx.organizationId, [attachment_id])
  if (file === undefined || file.ownerId !== tx.actor.userId) throw new ApiError('BAD_REQUEST', 'Invalid attachment')
  await removeAttachments(tx, [file])
  return { answer: {}, unused: fileKeys(file.pathId) }
}

export async function removeAttachments(tx: Tx, files: readonly Attachment[]): Promise<readonly Attachment[]> {
  if (files.length === 0) return files
  await tx.db
    .deleteFrom('attachments')
    .where('organization_id', '=', tx.organizationId)
    .where(
      'id',
      'in',
      files.map(({ id }) => id),
    )
    .execute()
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const used = await changeUsedStorage(tx, -size)
  for (const { id, ownerId } of files) {
    tx.emit(attachmentRemoved, { attachment: { id }, upload_space_used: used }, { users: [ownerId] })
  }
  return files
}

export async function removeAttachmentFiles(server: ServerFacts, files: readonly Attachment[]): Promise<void> {
  await removeFiles(
    { server },
    files.flatMap(({ pathId }) => fileKeys(pathId)),
  )
}

/** Returns the bytes used by all files of the organization. */
async function changeUsedStorage(tx: Tx, bytes: number): Promise<number> {
  const row = await tx.db
    .insertInto('upload_spaces')
    .values({
      organization_id: tx.organizationId,
      used_bytes: bytes,
      signing_key: randomBytes(32).toString('base64url'),
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet(({ eb }) => ({
        used_bytes: eb('upload_spaces.used_bytes', '+', eb.ref('excluded.used_bytes')),
      })),
    )
    .returning('used_bytes')
    .executeTakeFirstOrThrow()
  return row.used_bytes
}

/** Links a message to exactly these uploads; the caller checks access. Returns the actor's files left without links. */
export async function claimUploads(
  tx: SharedActorTx,
  messageId: number,
  uploadIds: readonly number[],
): Promise<UploadedFile[]> {
  const read = tx.db
  const before = await uploadsLinkedBy(tx, [messageId])
  const wanted = uploadIds.length === 0 ? [] : await attachmentsById(read, tx.organizationId, uploadIds)
  const added = wanted.map(({ id }) => id).filter((id) => !before.includes(id))
  const removed = before.filter((id) => !wanted.some((file) => file.id === id))
  if (added.length > 0) {
    await tx.db
      .insertInto('attachment_messages')
      .values(added.map((id) => ({ organization_id: tx.organizationId, attachment_id: id, message_id: messageId })))
      .execute()
    await tx.db
      .updateTable('attachments')
      .set({ unclaimed_since: null })
      .where('organization_id', '=', tx.organizationId)
      .where('id', 'in', added)
      .execute()
  }
  const unclaimed = await unlinkUploads(tx, [messageId], removed)
  await emitAttachmentLinks(tx, [...added, ...removed])
  if (unclaimed.length === 0) return []
  const detached = (await attachmentsById(read, tx.organizationId, unclaimed)).filter(
    ({ ownerId }) => ownerId === tx.actor.userId,
  )
  return presentAttachments(read, tx.organization, tx.actor, detached)
}

export async function releaseUploads(tx: Tx, messageIds: readonly number[]): Promise<void> {
  const linked = await uploadsLinkedBy(tx, messageIds)
  await unlinkUploads(tx, messageIds, linked)
  await emitAttachmentLinks(tx, linked)
}

export async function emitAttachmentLinksIn(tx: Tx, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length > 0) await emitAttachmentLinks(tx, await uploadsLinkedBy(tx, messageIds))
}

export async function emitAttachmentLinks(tx: SharedTx, attachmentIds: readonly number[]): Promise<void> {
  if (attachmentIds.length === 0) return
  const read = tx.db
  const used = (await uploadSpaceOf(read, tx.organizationId))?.usedBytes ?? 0
  for (const file of await attachmentsById(read, tx.organizationId, attachmentIds)) {
    const owner = userById(tx.organization, file.ownerId)
    if (owner === undefined) throw new Error(`attachment ${file.id} has no owner`)
    const [attachment] = await presentAttachments(read, tx.organization, { userId: owner.id, role: owner.role }, [file])
    if (attachment === undefined) throw new Error('a file that was read is not shown')
    tx.emit(attachmentUpdated, { attachment, upload_space_used: used }, { users: [file.ownerId] })
  }
}

async function uploadsLinkedBy(tx: SharedTx, messageIds: readonly number[]): Promise<number[]> {
  const rows = await tx.db.rows<{ attachment_id: number }>(
    'linked_by',
    `select distinct attachment_id from attachment_messages
     where organization_id = $1 and message_id = any($2::bigint[]) order by attachment_id`,
    [tx.organizationId, messageIds],
  )
  return rows.map((row) => row.attachment_id)
}

/** Returns files that no message links to anymore. */
async function unlinkUploads(
  tx: SharedTx,
  messageIds: readonly number[],
  attachmentIds: readonly number[],
): Promise<number[]> {
  if (attachmentIds.length === 0) return []
  await tx.db
    .deleteFrom('attachment_messages')
    .where('organization_id', '=', tx.organizationId)
    .where('attachment_id', 'in', attachmentIds)
    .where('message_id', 'in', messageIds)
    .execute()
  const rows = await tx.db.rows<{ id: number }>(
    'unlink',
    `update attachments a set unclaimed_since = $3
     where a.organization_id = $1 and a.id = any($2::bigint[]) and ${unlinkedSql({ attachment: 'a' })} returning a.id`,
    [tx.organizationId, attachmentIds, tx.now],
  )
  return rows.map(({ id }) => id)
}
