import type { Tx, Db } from '../../kernel/transaction.ts'
import { storeArchive, type Entry } from '../../platform/files/archive.ts'
import { removeFiles } from '../../platform/files/pending.ts'
import { repeatEvery } from '../../platform/jobs/every.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { emitDataExports } from './actions.ts'
import { archiveKey, dueExports, exportsOf, isExportPending, type StoredExport } from './queries/index.ts'
import { ROLE } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { chunksOf } from '../../platform/chunks.ts'
import type { FileStore } from '../../platform/files/store.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { foldersOf } from '../channel-folders/queries.ts'
import { presentChannel, sortedSubscribers } from '../channels/queries/index.ts'
import { customEmojiProjection, emojiKey, presentCustomEmoji } from '../custom-emoji/queries.ts'
import { presentGroups } from '../groups/queries.ts'
import { linkifiersOf } from '../linkifiers/queries.ts'
import { organizationOf, settingsOf } from '../organizations/queries/index.ts'
import { playgroundsOf } from '../playgrounds/queries.ts'
import { fileKey } from '../uploads/queries.ts'
import { avatarKey } from '../users/queries/avatars.ts'
import { nonSystemUsers } from '../users/queries/index.ts'
import { presentUserWithProfile } from '../users/queries/people.ts'
import { profileFieldsOf } from '../users/queries/profile.ts'
import { exportScope, type ExportScope, exportedLinks, exportedMessages, exportedUploads } from './queries/messages.ts'
import { readOwnRows, ownSettings, ownSubscriptions, starredMessagesOf } from './queries/own.ts'

const POLL_INTERVAL_SECONDS = 2
/** If a process does not renew its lease for this long, another process takes over. */
const LEASE_SECONDS = 60
const LEASE_RENEWAL_INTERVAL_MILLISECONDS = 15_000
const MAX_ATTEMPTS = 3

export const makeArchives: Job = {
  name: 'makeArchives',
  everySeconds: POLL_INTERVAL_SECONDS,
  due: dueExports,
  async run(context, id) {
    const { log, server, closing } = context
    const leased = await log.write((tx) => claimExport(tx, context, id))
    if (leased === undefined) return
    await removeFiles(context, earlierArchiveKeys(log.organization.id, leased))
    if (leased.failedAt !== null) return
    const key = archiveKey(log.organization.id, leased)
    const lost = new AbortController()
    const signal = AbortSignal.any([closing, lost.signal])
    const renewal = repeatEvery(
      LEASE_RENEWAL_INTERVAL_MILLISECONDS,
      async () => {
        if (!(await renewLease(context, leased))) lost.abort()
      },
      server.report,
    )
    try {
      const entries = archiveEntries({ ...context, organization: log.organization }, leased)
      await storeArchive(server.files, key, entries, { modifiedAt: leased.begunAt, signal })
      const isOurs = await log.write((tx) => completeExport(tx, context, leased))
      if (!isOurs) await removeFiles(context, [key])
    } catch (error) {
      // Allows the next attempt immediately. An attempt aborted by a shutdown does not count.
      await log.write((tx) => releaseLease(tx, leased, closing.aborted)).catch(server.report)
      if (!signal.aborted) throw error
    } finally {
      await renewal.close()
    }
  },
}

function earlierArchiveKeys(organizationId: number, { name, attempts }: StoredExport): string[] {
  return Array.from({ length: attempts - 1 }, (_, index) => archiveKey(organizationId, { name, attempts: index + 1 }))
}

/** Claims the export, or marks it as failed after too many attempts. */
async function claimExport(tx: Tx, { server }: JobContext, id: number): Promise<StoredExport | undefined> {
  const stored = (await exportsOf(tx.db, tx.organizationId)).find((one) => one.id === id)
  if (stored === undefined || !isExportPending(stored) || stored.leasedUntil >= tx.now) return undefined
  const isOver = stored.attempts >= MAX_ATTEMPTS
  const attempts = stored.attempts + 1
  await tx.db
    .updateTable('data_exports')
    .set(isOver ? { failed_at: tx.now } : { leased_until: tx.now + LEASE_SECONDS, attempts })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
  if (isOver) await emitDataExports(tx, server)
  return { ...stored, attempts, failedAt: isOver ? tx.now : null }
}

/** Returns false if another process took over. */
async function renewLease({ log, reads }: JobContext, { id, attempts }: StoredExport): Promise<boolean> {
  const rows = await reads.rows(
    'renew_export',
    `update data_exports set leased_until = $4
     where organization_id = $1 and id = $2 and attempts = $3 and completed_at is null and failed_at is null returning 1`,
    [log.organization.id, id, attempts, Math.floor(Date.now() / 1000) + LEASE_SECONDS],
  )
  return rows.length > 0
}

async function completeExport(tx: Tx, { server }: JobContext, { id, attempts }: StoredExport): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('data_exports')
    .set({ completed_at: tx.now })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await emitDataExports(tx, server)
  return true
}

async function releaseLease(tx: Tx, { id, attempts }: StoredExport, countsForNone: boolean): Promise<void> {
  await tx.db
    .updateTable('data_exports')
    .set({ leased_until: 0, ...(countsForNone ? { attempts: attempts - 1 } : {}) })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Format version (see `docs/operating/formats.md`). Increment it for changes that readers of exports must handle. */
const ARCHIVE_FORMAT_VERSION = 1

/** Every administrator can download an archive, so people appear as administrators see them. */
const EXPORT_READER = { userId: 0, role: ROLE.administrator } as const

export interface ExportSources {
  readonly organization: OrganizationState
  readonly reads: Db
  readonly server: Pick<ServerFacts, 'version' | 'urlOf' | 'files' | 'ownRows'>
}

async function* archiveEntries(sources: ExportSources, stored: StoredExport): AsyncGenerator<Entry> {
  const { organization, reads } = sources
  const included = exportScope(organization, stored.exportType)
  const upTo = organization.position
  yield jsonFile('export.json', {
    format: ARCHIVE_FORMAT_VERSION,
    server_version: sources.server.version,
    realm_id: organization.id,
    realm_url: sources.server.urlOf(organization),
    realm_name: organizationOf(organization).name,
    export_type: stored.exportType,
    export_time: stored.begunAt,
    consenting_user_ids: included.userIds,
  })
  yield jsonFile('settings.json', settingsOf(organization))
  yield* sharedRecords(sources, included)
  for (const userId of included.userIds) yield* ownRecords(sources, userId)
  yield* jsonLinesIn('channel_links', exportedLinks(reads, organization.id, upTo, included))
  yield* jsonLinesIn('messages', exportedMessages(reads, organization.id, upTo, included))
  yield* jsonLinesIn('uploads', exportedUploads(reads, organization.id, upTo, included))
  for await (const file of exportedUploads(reads, organization.id, upTo, included)) {
    yield* storedFile(sources.server.files, `upload_files/${file.id}`, fileKey(file.path_id))
  }
  yield* pictureFiles(sources)
}

async function* sharedRecords(
  { organization, reads }: ExportSources,
  { channels }: ExportScope,
): AsyncGenerator<Entry> {
  const people = nonSystemUsers(organization).map((row) => presentUserWithProfile(row, EXPORT_READER, false))
  yield* jsonLinesIn('users', people)
  yield* jsonLinesIn('user_groups', presentGroups(organization, true))
  yield* jsonLinesIn(
    'channels',
    channels.map((channel) => ({
      ...presentChannel(organization, channel),
      subscriber_ids: sortedSubscribers(organization, channel.id),
    })),
  )
  yield* jsonLinesIn('channel_folders', await foldersOf(reads, organization.id))
  yield* jsonLinesIn('custom_profile_fields', await profileFieldsOf(reads, organization.id))
  yield* jsonLinesIn(
    'custom_emoji',
    Object.values(presentCustomEmoji(organization.of(customEmojiProjection).byId.values())),
  )
  yield* jsonLinesIn('linkifiers', linkifiersOf(organization))
  yield* jsonLinesIn('playgrounds', playgroundsOf(organization))
}

/** Yields one folder after another, so that only one folder's records are in memory at a time. */
async function* ownRecords({ organization, reads, server }: ExportSources, userId: number): AsyncGenerator<Entry> {
  const folder = (kind: string): string => `own/${userId}/${kind}`
  yield* jsonLinesIn(folder('settings'), ownSettings(organization, userId))
  yield* jsonLinesIn(folder('subscriptions'), ownSubscriptions(organization, userId))
  for (const rows of server.ownRows) {
    yield* jsonLinesIn(folder(rows.table), await readOwnRows(rows, reads, organization.id, userId))
  }
  yield* jsonLinesIn(folder('starred_messages'), starredMessagesOf(reads, organization.id, userId))
}

async function* pictureFiles({ organization, server: { files } }: ExportSources): AsyncGenerator<Entry> {
  for (const { id, avatarFile } of nonSystemUsers(organization)) {
    if (avatarFile === null) continue
    yield* storedFile(files, `avatars/${id}.png`, avatarKey(organization.id, avatarFile, '-medium'))
  }
  for (const { id, file, isAnimated } of organization.of(customEmojiProjection).byId.values()) {
    const name = isAnimated ? `${file}.gif` : `${file}.png`
    yield* storedFile(files, `emoji/${id}${isAnimated ? '.gif' : '.png'}`, emojiKey(organization.id, name))
  }
}

async function* storedFile(files: FileStore, name: string, key: string): AsyncGenerator<Entry> {
  const size = await files.size(key)
  if (size !== undefined) yield { name, size, content: readPieces(files, key) }
}

async function* readPieces(files: FileStore, key: string): AsyncGenerator<Buffer> {
  yield* chunksOf(files.read(key))
}

function jsonFile(name: string, value: object): Entry {
  const content = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  return { name, size: content.length, content: [content] }
}

const MIN_JSON_LINES_FILE_BYTES = 1024 * 1024

/** Writes records as JSON lines to numbered files in a folder, such as `messages/000001.jsonl`. */
async function* jsonLinesIn(folder: string, records: Iterable<object> | AsyncIterable<object>): AsyncGenerator<Entry> {
  let lines: Buffer[] = []
  let size = 0
  let part = 0
  const close = (): Entry => {
    part += 1
    const entry = { name: `${folder}/${String(part).padStart(6, '0')}.jsonl`, size, content: lines }
    lines = []
    size = 0
    return entry
  }
  for await (const record of records) {
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    lines.push(line)
    size += line.length
    if (size >= MIN_JSON_LINES_FILE_BYTES) yield close()
  }
  if (size > 0) yield close()
}
