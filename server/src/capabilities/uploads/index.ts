import type { Input, Output } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Reader } from '../../kernel/transaction.ts'
import { capability, direct, query } from '../../platform/capability.ts'
import type { FileCall, StoredFile } from '../../platform/files/serve.ts'
import { userById } from '../users/queries.ts'
import { removeAttachment, uploadFile } from './actions.ts'
import * as contract from './contract.ts'
import { removeForgottenUploads } from './jobs.ts'
import {
  attachmentsById,
  attachmentsOf,
  fetchableAmong,
  fetchableAt,
  keyOf,
  presentAttachments,
  readOutside,
  uploadSpaceOf,
  type Attachment,
} from './queries.ts'
import { isShownInline, passFor, passOf, tokenOf } from './rules.ts'

/** Uploads: files that people put into messages. */
export const uploads = capability({
  name: 'uploads',
  tables: ['upload_spaces', 'attachments', 'attachment_messages'],
  routes: [
    direct(contract.uploadFile, uploadFile),
    query(contract.getFileTemporaryUrl, temporaryUrl),
    query(contract.getAttachments, async ({ db, organization, actor, organizationId }) => {
      const read = readOutside(db)
      const files = await attachmentsOf(read, organizationId, actor.userId)
      const space = await uploadSpaceOf(read, organizationId)
      return {
        attachments: await presentAttachments(read, organization, actor, files),
        upload_space_used: space?.usedBytes ?? 0,
      }
    }),
    direct(contract.removeAttachment, removeAttachment),
  ],
  files: [
    { path: '/user_uploads/temporary/:token/:name', login: 'none', find: fileWithPass },
    { path: '/user_uploads/:realm_id(^\\d+$)/*', login: 'required', find: fileAtPath },
  ],
  events: [
    { event: contract.attachmentAdded },
    { event: contract.attachmentUpdated },
    { event: contract.attachmentRemoved },
  ],
  jobs: [removeForgottenUploads],
})

async function temporaryUrl(
  { db, organization, actor, now, organizationId }: Reader,
  { realm_id_str, filename }: Input<typeof contract.getFileTemporaryUrl>,
): Promise<Output<typeof contract.getFileTemporaryUrl>> {
  const read = readOutside(db)
  const [file] = await fetchableAt(read, organization, actor, [`${realm_id_str}/${filename}`])
  const space = await uploadSpaceOf(read, organizationId)
  if (file === undefined || space === undefined) throw new Refusal('NOT_FOUND', 'There is no such file')
  const token = tokenOf(space.signingKey, passFor(file.id, actor.userId, now))
  return { url: `/user_uploads/temporary/${token}/${encodeURIComponent(lastPart(file.pathId))}` }
}

async function fileAtPath({ log, reads, actor, parameters }: FileCall): Promise<StoredFile | undefined> {
  const path = `${parameters['realm_id'] ?? ''}/${parameters['*'] ?? ''}`
  // No file's path has what the database cannot hold.
  if (actor === undefined || path.includes('\0') || !path.isWellFormed()) return undefined
  const [file] = await fetchableAt(readOutside(reads), log.organization, actor, [path])
  return file === undefined ? undefined : served(file)
}

/** The address was given to somebody who may have lost the right since. */
async function fileWithPass({ log, reads, parameters }: FileCall): Promise<StoredFile | undefined> {
  const { organization } = log
  const read = readOutside(reads)
  const space = await uploadSpaceOf(read, organization.id)
  const now = Math.floor(Date.now() / 1000)
  const pass = space === undefined ? undefined : passOf(space.signingKey, parameters['token'] ?? '', now)
  const user = pass === undefined ? undefined : userById(organization, pass.userId)
  if (pass === undefined || user?.isActive !== true) return undefined
  const found = await attachmentsById(read, organization.id, [pass.attachmentId])
  const [file] = await fetchableAmong(read, organization, { userId: user.id, role: user.role }, found)
  return file === undefined || lastPart(file.pathId) !== parameters['name'] ? undefined : served(file)
}

function served({ pathId, name, contentType }: Attachment): StoredFile {
  return {
    key: keyOf(pathId),
    type: contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
    name,
    inline: isShownInline(contentType),
    keep: 'ask',
  }
}

function lastPart(pathId: string): string {
  return pathId.slice(pathId.lastIndexOf('/') + 1)
}
