import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readDocument } from '../../platform/documents/documents.ts'
import { isMissingFile, randomName, StoreUnavailableError } from '../../platform/files/store.ts'
import { makeFolder } from '../../platform/folders.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { organizationsWithRowsSql } from '../../platform/jobs/pieces.ts'
import { indexText, insertWords, missingWords, rememberWords } from '../messages/actions/terms.ts'
import { removeAttachments, removeAttachmentFiles } from './actions.ts'
import { UNCLAIMED_UPLOAD_DAYS } from './contract.ts'
import { attachmentsById, fileKey, UNREAD_TEXT_CONDITION, unlinkedSql, type Attachment } from './queries.ts'
import { splitText } from './rules.ts'

const DAY_SECONDS = 86_400
const UPLOADS_PER_PAGE = 500

/** Whether no message has linked to a file for weeks, and no waiting message contains the random part of its path. */
const FORGOTTEN_UPLOAD_CONDITION = `a.unclaimed_since < $1 and ${unlinkedSql({ attachment: 'a' })} and not exists (
  select from (
    select organization_id, content from scheduled_messages
    union all select organization_id, content from held_messages) w
  where w.organization_id = a.organization_id and position(split_part(a.path_id, '/', 3) in w.content) > 0)`

export const removeForgottenUploads: Job = {
  name: 'removeForgottenUploads',
  everySeconds: 3_600,
  due: async (db, now) =>
    db.rows(
      'forgotten_uploads',
      `select a.organization_id as "organizationId", a.id from attachments a
       join organization_settings s on s.organization_id = a.organization_id and not s.deactivated
       where ${FORGOTTEN_UPLOAD_CONDITION} order by a.unclaimed_since limit ${UPLOADS_PER_PAGE}`,
      [now - UNCLAIMED_UPLOAD_DAYS * DAY_SECONDS],
    ),
  async run({ log, server }, id) {
    const removed = await log.write(async (tx) => {
      const still = await tx.db.rows<{ id: number }>(
        'forgotten_attachment',
        `select a.id from attachments a where a.organization_id = $2 and a.id = $3 and ${FORGOTTEN_UPLOAD_CONDITION}`,
        [tx.now - UNCLAIMED_UPLOAD_DAYS * DAY_SECONDS, tx.organizationId, id],
      )
      return removeAttachments(
        tx,
        await attachmentsById(
          tx.db,
          tx.organizationId,
          still.map((row) => row.id),
        ),
      )
    })
    await removeAttachmentFiles(server, removed)
  },
}

/** Limited, because each organization is loaded, and all can be due after an upgrade. */
const ORGANIZATIONS_PER_RUN = 4
/** Limited, so that organizations take turns. */
const FILES_PER_RUN = 10

/** Reads the text of files that messages link to, and indexes it for the search. */
export const indexFileTexts: Job = {
  name: 'indexFileTexts',
  everySeconds: 1,
  due: async (db) =>
    db.rows(
      'unread_files',
      `${organizationsWithRowsSql('attachments', UNREAD_TEXT_CONDITION)} limit ${ORGANIZATIONS_PER_RUN}`,
      [],
    ),
  async run(context) {
    const { log, reads, closing } = context
    // Newest first, because people search for those.
    const files = await reads.rows<UnreadFile>(
      'unread_files_of',
      `select id, path_id as "pathId" from attachments
       where organization_id = $1 and ${UNREAD_TEXT_CONDITION} order by id desc limit ${FILES_PER_RUN}`,
      [log.organization.id],
    )
    try {
      for (const file of files) {
        if (closing.aborted) return
        await indexFileText(context, file, await readText(context, file))
      }
    } catch (error) {
      // The next run continues.
      if (!closing.aborted && !(error instanceof StoreUnavailableError)) throw error
    }
  },
}

type UnreadFile = Pick<Attachment, 'id' | 'pathId'>

async function readText({ server: { files }, closing }: JobContext, { pathId }: UnreadFile): Promise<string> {
  await makeFolder(files.incoming)
  const path = join(files.incoming, randomName())
  const untilClosing = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      closing.throwIfAborted()
      yield chunk
    }
  }
  try {
    await pipeline(files.read(fileKey(pathId)), untilClosing, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return await readDocument(path, closing)
  } catch (error) {
    if (isMissingFile(error)) return ''
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

/** More words than books have. Tables of numbers have more, and would fill the dictionary. */
const MAX_WORDS_PER_FILE = 20_000

const STORE_TEXT = `
  insert into attachment_texts (organization_id, attachment_id, part, content, terms)
  select organization_id, id, $3, $4, $5 from attachments where organization_id = $1 and id = $2
  on conflict do nothing`

/** Stores each part in its own transaction, so that sends can run in between. */
async function indexFileText({ log, closing }: JobContext, { id }: UnreadFile, text: string): Promise<void> {
  const words = new Set<string>()
  for (const [part, content] of splitText(text).entries()) {
    const indexed = indexText(content)
    for (const word of indexed.words) words.add(word)
    if (words.size > MAX_WORDS_PER_FILE) break
    closing.throwIfAborted()
    const missing = missingWords(log.organization, indexed.words)
    await log.write(async (tx) => {
      await insertWords(tx, missing)
      await tx.db.rows('store_file_text', STORE_TEXT, [tx.organizationId, id, part, content, indexed.vector])
    })
    rememberWords(log.organization, missing)
  }
  await log.write(async (tx) =>
    tx.db.rows('mark_file_read', 'update attachments set has_text = $3 where organization_id = $1 and id = $2', [
      tx.organizationId,
      id,
      text !== '',
    ]),
  )
}
