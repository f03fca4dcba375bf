import { parse } from 'node:path'
import { SPECTATOR } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { FileReferences } from '../../platform/backup/verify.ts'
import { MAX_DOCUMENT_BYTES } from '../../platform/documents/documents.ts'
import type { FileCall, StoredFile } from '../../platform/files/serve.ts'
import type { KnownUpload } from '../../platform/markdown/job.ts'
import { mayReadMessage } from '../channels/rules/index.ts'
import type { Member } from '../groups/rules.ts'
import { mayReviewFile } from '../held-messages/queries.ts'
import { directReadersSql } from '../messages/queries/stored.ts'
import { userById } from '../users/queries/index.ts'
import { THUMBNAIL_FORMATS, type ThumbnailFormat, type UploadedFile } from './contract.ts'
import {
  isShownInline,
  mayFetchFile,
  mediaKindOf,
  createPass,
  passFromToken,
  signPass,
  type LinkingMessages,
} from './rules.ts'
import type * as contract from './contract.ts'

export interface Attachment {
  readonly id: number
  readonly ownerId: number
  readonly pathId: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly dateCreated: number
  readonly width: number | null
  readonly height: number | null
  readonly isAnimated: boolean
}

const SELECT_ATTACHMENTS = `
  id, owner_id as "ownerId", path_id as "pathId", name, content_type as "contentType", size, date_created as "dateCreated",
  width, height, is_animated as "isAnimated"
  from attachments where organization_id = $1`

const MESSAGE_LINKS = `
  select l.attachment_id as "attachmentId", m.channel_id as "channelId",
         ${directReadersSql({ message: 'm', conversation: 'c' })} as "readerIds", array_agg(m.id order by m.id) as "messageIds", array_agg(m.date_sent order by m.id) as "datesSent"
  from attachment_messages l
  join messages m on m.organization_id = $1 and m.id = l.message_id
  left join conversations c on m.channel_id is null and c.organization_id = $1 and c.topic_id = m.topic_id
  where l.organization_id = $1 and l.attachment_id = any($2::bigint[])
  group by 1, 2, 3`

/** Whether no message links to the file. `attachment` is the alias of a row of `attachments`. */
export const unlinkedSql = ({ attachment: a }: { readonly attachment: string }): string => `not exists (
  select from attachment_messages l where l.organization_id = ${a}.organization_id and l.attachment_id = ${a}.id)`

/**
 * Whether the file can have text that nothing has read yet. TypeScript files get the type of MPEG streams. The index
 * `attachments_unread` has the same condition.
 */
export const UNREAD_TEXT_CONDITION = `has_text is null and unclaimed_since is null
  and content_type !~ '^(audio/|font/|image/|video/(?!mp2t$))' and size <= ${MAX_DOCUMENT_BYTES}`

/** Returns a key that ends with the random part of the path. */
export function fileKey(pathId: string): string {
  return `uploads/${pathId.split('/', 3).join('/')}`
}

export const uploadedFiles: FileReferences = { sql: 'select path_id as name from attachments', keyOf: fileKey }

export function thumbnailKey(pathId: string, { name }: Pick<ThumbnailFormat, 'name'>): string {
  return `thumbnails/${pathId.split('/', 3).join('/')}-${name}`
}

export function fileKeys(pathId: string): string[] {
  return [fileKey(pathId), ...THUMBNAIL_FORMATS.map((format) => thumbnailKey(pathId, format))]
}

export async function attachmentsById(db: Db, organizationId: number, ids: readonly number[]): Promise<Attachment[]> {
  const text = `select ${SELECT_ATTACHMENTS} and id = any($2::bigint[]) order by id`
  return db.rows('attachments_by_id', text, [organizationId, ids])
}

export async function attachmentsOf(db: Db, organizationId: number, ownerId: number): Promise<Attachment[]> {
  return db.rows('attachments_of', `select ${SELECT_ATTACHMENTS} and owner_id = $2 order by id`, [
    organizationId,
    ownerId,
  ])
}

export async function fetchableFilesAt(
  db: Db,
  organization: OrganizationState,
  member: Member,
  paths: readonly string[],
): Promise<Attachment[]> {
  return fetchableFilesAmong(db, organization, member, await attachmentsByPath(db, organization.id, paths))
}

async function attachmentsByPath(db: Db, organizationId: number, paths: readonly string[]): Promise<Attachment[]> {
  if (paths.length === 0) return []
  const text = `select ${SELECT_ATTACHMENTS} and path_id = any($2::text[]) order by id`
  return db.rows('attachments_by_path', text, [organizationId, paths])
}

export async function fetchableFilesAmong(
  db: Db,
  organization: OrganizationState,
  member: Member,
  found: readonly Attachment[],
): Promise<Attachment[]> {
  const others = found.filter(({ ownerId }) => ownerId !== member.userId)
  const links = await linksOf(db, organization, others)
  return found.filter((file) => mayFetchFile(organization, member, file, links.get(file.id) ?? []))
}

/** Returns the first file if the member can fetch it, or reviews a held message that links to it. */
async function openableFile(
  db: Db,
  organization: OrganizationState,
  member: Member,
  found: readonly Attachment[],
): Promise<Attachment | undefined> {
  const [file] = found
  if (file === undefined) return undefined
  const [fetchable] = await fetchableFilesAmong(db, organization, member, [file])
  return fetchable ?? ((await mayReviewFile(db, organization, member, file)) ? file : undefined)
}

export async function presentAttachments(
  db: Db,
  organization: OrganizationState,
  owner: Member,
  files: readonly Attachment[],
): Promise<UploadedFile[]> {
  const links = await linksOf(db, organization, files)
  return files.map((file) => ({
    id: file.id,
    name: file.name,
    path_id: file.pathId,
    size: file.size,
    create_time: file.dateCreated * 1000,
    messages: (links.get(file.id) ?? [])
      .flatMap(({ channelId, readerIds, messageIds, datesSent }) =>
        messageIds
          .map((id, index) => ({ id, date_sent: (datesSent[index] ?? 0) * 1000 }))
          .filter(({ id }) => mayReadMessage(organization, owner, { id, channelId, readerIds })),
      )
      .toSorted((a, b) => a.id - b.id),
  }))
}

async function linksOf(
  db: Db,
  organization: OrganizationState,
  files: readonly Attachment[],
): Promise<ReadonlyMap<number, LinkingMessages[]>> {
  const byFile = new Map<number, LinkingMessages[]>()
  if (files.length === 0) return byFile
  const rows = await db.rows<LinkingMessages & { attachmentId: number }>('attachment_links', MESSAGE_LINKS, [
    organization.id,
    files.map(({ id }) => id),
  ])
  for (const { attachmentId, ...links } of rows) byFile.set(attachmentId, [...(byFile.get(attachmentId) ?? []), links])
  return byFile
}

export interface UploadSpace {
  readonly usedBytes: number
  readonly signingKey: string
}

export async function uploadSpaceOf(db: Db, organizationId: number): Promise<UploadSpace | undefined> {
  const text = `select used_bytes as "usedBytes", signing_key as "signingKey" from upload_spaces
    where organization_id = $1`
  const [space] = await db.rows<UploadSpace>('upload_space', text, [organizationId])
  return space
}

/** Stores `links`, a relation of `message_id` and `attachment_id`. Skips deleted files. Uses $organization. */
export const claimUploadsSql = ({ links }: { readonly links: string }): string => `
linked as materialized (
  select l.message_id, a.id as attachment_id
  from ${links} l join attachments a on a.organization_id = $organization and a.id = l.attachment_id),
claim as (
  insert into attachment_messages (organization_id, attachment_id, message_id)
  select $organization, attachment_id, message_id from linked),
claimed as (
  update attachments set unclaimed_since = null
  where organization_id = $organization and id in (select attachment_id from linked))`

export async function getAttachments(reader: Reader): Promise<Output<typeof contract.getAttachments>> {
  const { db, organization, actor, organizationId } = reader
  const files = await attachmentsOf(db, organizationId, actor.userId)
  const space = await uploadSpaceOf(db, organizationId)
  return {
    attachments: await presentAttachments(db, organization, actor, files),
    upload_space_used: space?.usedBytes ?? 0,
  }
}

export async function getFileTemporaryUrl(
  { db, organization, actor, now, organizationId }: Reader,
  { realm_id_str, filename }: Input<typeof contract.getFileTemporaryUrl>,
): Promise<Output<typeof contract.getFileTemporaryUrl>> {
  const found = await attachmentsByPath(db, organizationId, [`${realm_id_str}/${filename}`])
  const file = await openableFile(db, organization, actor, found)
  const space = await uploadSpaceOf(db, organizationId)
  if (file === undefined || space === undefined) throw new ApiError('NOT_FOUND', 'No such file')
  const token = signPass(space.signingKey, createPass(file.id, actor.userId, now))
  return { url: `/user_uploads/temporary/${token}/${encodeURIComponent(fileNameInPath(file.pathId))}` }
}

export async function fileAtPath(call: FileCall): Promise<StoredFile | undefined> {
  const file = await attachmentAtPath(call)
  return file === undefined ? undefined : toStoredFile(file)
}

async function attachmentAtPath({ log, reads, actor, parameters }: FileCall): Promise<Attachment | undefined> {
  const path = `${parameters['realm_id'] ?? ''}/${parameters['*'] ?? ''}`
  // No file has such a path, and the database would reject it.
  if (path.includes('\0') || !path.isWellFormed()) return undefined
  const found = await attachmentsByPath(reads, log.organization.id, [path])
  return openableFile(reads, log.organization, actor ?? SPECTATOR, found)
}

export async function thumbnailAtPath(call: FileCall): Promise<StoredFile | undefined> {
  const [, path, name] = /^(.*)\/([^/]*)$/s.exec(call.parameters['*'] ?? '') ?? []
  const format = THUMBNAIL_FORMATS.find((one) => one.name === name)
  if (path === undefined || format === undefined) return undefined
  const file = await attachmentAtPath({ ...call, parameters: { ...call.parameters, '*': path } })
  if (file === undefined || !hasThumbnail(file, format)) return undefined
  return {
    key: thumbnailKey(file.pathId, format),
    type: `image/${format.format}`,
    name: `${parse(file.name).name}.${format.format}`,
    inline: true,
    keep: 'ask',
  }
}

function hasThumbnail({ width, isAnimated }: Attachment, format: ThumbnailFormat): boolean {
  return width !== null && width > 0 && (isAnimated || !format.animated)
}

/** Returns previews of images, videos, and audio files, by path. */
export function previewsOf(files: readonly Attachment[]): ReadonlyMap<string, KnownUpload> {
  const previews = new Map<string, KnownUpload>()
  for (const { pathId, width, height, contentType, isAnimated } of files) {
    const media = mediaKindOf(contentType)
    if (media !== undefined) previews.set(pathId, media)
    if (width === null || height === null) continue
    const format = THUMBNAIL_FORMATS.find(({ animated }) => animated === isAnimated)
    const src = `/user_uploads/thumbnail/${encodeURI(pathId)}/${format?.name ?? ''}`
    previews.set(pathId, width === 0 ? 'none' : { src, width, height, contentType, isAnimated })
  }
  return previews
}

export function thumbnailFormatsSnapshot(): { server_thumbnail_formats: typeof THUMBNAIL_FORMATS } {
  return { server_thumbnail_formats: THUMBNAIL_FORMATS }
}

/** Checks access again, because the person may have lost it since the URL was created. */
export async function fileAtTemporaryUrl({ log, reads, parameters }: FileCall): Promise<StoredFile | undefined> {
  const { organization } = log
  const space = await uploadSpaceOf(reads, organization.id)
  const now = Math.floor(Date.now() / 1000)
  const pass = space === undefined ? undefined : passFromToken(space.signingKey, parameters['token'] ?? '', now)
  const user = pass === undefined ? undefined : userById(organization, pass.userId)
  if (pass === undefined || user?.isActive !== true) return undefined
  const found = await attachmentsById(reads, organization.id, [pass.attachmentId])
  const file = await openableFile(reads, organization, { userId: user.id, role: user.role }, found)
  return file === undefined || fileNameInPath(file.pathId) !== parameters['name'] ? undefined : toStoredFile(file)
}

function toStoredFile({ pathId, name, contentType }: Attachment): StoredFile {
  return {
    key: fileKey(pathId),
    type: contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
    name,
    inline: isShownInline(contentType),
    keep: 'ask',
  }
}

function fileNameInPath(pathId: string): string {
  return pathId.slice(pathId.lastIndexOf('/') + 1)
}
