import type { Job } from '../../platform/jobs/jobs.ts'
import { removeAttachments, removeAttachmentFiles } from './actions.ts'
import { UNCLAIMED_UPLOAD_DAYS } from './contract.ts'
import { attachmentsById, unlinkedSql } from './queries.ts'

const DAY_SECONDS = 86_400
const UPLOADS_PER_PAGE = 500

/** Whether no message has linked to a file for weeks, and no scheduled message contains the random part of its path. */
const FORGOTTEN_UPLOAD_CONDITION = `a.unclaimed_since < $1 and ${unlinkedSql({ attachment: 'a' })} and not exists (
  select from scheduled_messages s
  where s.organization_id = a.organization_id and position(split_part(a.path_id, '/', 3) in s.content) > 0)`

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
