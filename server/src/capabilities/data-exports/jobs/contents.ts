import { ROLE } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db } from '../../../kernel/transaction.ts'
import { chunksOf } from '../../../platform/chunks.ts'
import type { Entry } from '../../../platform/files/archive.ts'
import type { FileStore } from '../../../platform/files/store.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { foldersOf } from '../../channel-folders/queries.ts'
import { presentChannel, sortedSubscribers } from '../../channels/queries/index.ts'
import { customEmojiProjection, emojiKey, presentCustomEmoji } from '../../custom-emoji/queries.ts'
import { presentGroups } from '../../groups/queries.ts'
import { linkifiersOf } from '../../linkifiers/queries.ts'
import { organizationOf, settingsOf } from '../../organizations/queries/index.ts'
import { playgroundsOf } from '../../playgrounds/queries.ts'
import { fileKey } from '../../uploads/queries.ts'
import { avatarKey } from '../../users/queries/avatars.ts'
import { members } from '../../users/queries/index.ts'
import { presentUserWithProfile } from '../../users/queries/present.ts'
import { profileFieldsOf } from '../../users/queries/profile.ts'
import { exportScope, type ExportScope } from '../queries/included.ts'
import type { StoredExport } from '../queries/index.ts'
import { exportedLinks, exportedMessages, exportedUploads } from '../queries/messages.ts'
import { readOwnRows, ownSettings, ownSubscriptions, starredMessagesOf } from '../queries/own.ts'

/** Format version (see `docs/operating/formats.md`). Increment it for changes that readers of exports must handle. */
const FORMAT_VERSION = 1

/** Every administrator can download an archive, so people appear as administrators see them. */
const EXPORT_READER = { userId: 0, role: ROLE.administrator } as const

export interface ExportSources {
  readonly organization: OrganizationState
  readonly reads: Db
  readonly server: Pick<ServerFacts, 'version' | 'urlOf' | 'files' | 'ownRows'>
}

export async function* archiveEntries(sources: ExportSources, stored: StoredExport): AsyncGenerator<Entry> {
  const { organization, reads } = sources
  const included = exportScope(organization, stored.exportType)
  const upTo = organization.position
  yield jsonFile('export.json', {
    format: FORMAT_VERSION,
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
  const people = members(organization).map((row) => presentUserWithProfile(row, EXPORT_READER, false))
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
  for (const { id, avatarFile } of members(organization)) {
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

const PART_BYTES = 1024 * 1024

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
    if (size >= PART_BYTES) yield close()
  }
  if (size > 0) yield close()
}
