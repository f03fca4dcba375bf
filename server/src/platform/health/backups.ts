import { notice, ok, type Finding } from '../../kernel/finding.ts'
import { readBackupNote } from '../backup/note.ts'

const DAY_SECONDS = 86_400
/** One failed night is acceptable. */
const OLD_SECONDS = 2 * DAY_SECONDS
const UNVERIFIED_SECONDS = 31 * DAY_SECONDS

/** Covers only backups made by Parley. */
export async function lookAtBackups(dataDirectory: string): Promise<Finding> {
  const note = await readBackupNote(dataDirectory)
  if (note === undefined) return notice('backup', 'backup_none')
  const { latest, verified } = note
  const now = Date.now() / 1000
  const days = Math.floor((now - latest.snapshot_at) / DAY_SECONDS)
  if (now - latest.snapshot_at > OLD_SECONDS) return notice('backup', 'backup_old', days, latest.directory)
  if (now - (verified?.snapshot_at ?? 0) > UNVERIFIED_SECONDS) {
    return notice('backup', 'backup_unverified', null, latest.directory)
  }
  return ok('backup', `of ${new Date(latest.snapshot_at * 1000).toISOString()}, in ${latest.directory}`)
}
