import { randomBytes } from 'node:crypto'
import { chown, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { defaultIfMissing, writeDurably } from './folder.ts'
import type { Manifest } from './manifest.ts'

/** File in the data folder, but not in backups, so a restored server has no record of backups. */
const BACKUP_NOTE_FILE = 'backups.json'

const recordedBackup = z.object({
  /** Original location; the backup may have been moved since. */
  directory: z.string(),
  snapshot_at: z.number(),
  /** Digest that identifies the backup at any location. */
  sums: z.string(),
})

const backupNote = z.object({
  latest: recordedBackup,
  /** Null if no backup has passed `parley verify`. */
  verified: z.nullable(recordedBackup),
})

export type BackupNote = z.infer<typeof backupNote>

export async function readBackupNote(dataDirectory: string): Promise<BackupNote | undefined> {
  const text = await readFile(join(dataDirectory, BACKUP_NOTE_FILE), 'utf8').catch(defaultIfMissing(undefined))
  if (text === undefined) return undefined
  try {
    return backupNote.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export async function recordBackup(dataDirectory: string, directory: string, manifest: Manifest): Promise<void> {
  const verified = (await readBackupNote(dataDirectory))?.verified ?? null
  const latest = { directory: resolve(directory), snapshot_at: manifest.snapshotAt, sums: manifest.sums }
  await writeNote(dataDirectory, { latest, verified })
}

export async function recordVerification(dataDirectory: string, manifest: Manifest): Promise<void> {
  const note = await readBackupNote(dataDirectory)
  if (note === undefined || note.latest.sums !== manifest.sums) return
  await writeNote(dataDirectory, { ...note, verified: note.latest })
}

async function writeNote(dataDirectory: string, note: BackupNote): Promise<void> {
  const draft = join(dataDirectory, `${BACKUP_NOTE_FILE}.${randomBytes(4).toString('hex')}`)
  try {
    await writeDurably(draft, `${JSON.stringify(note)}\n`)
    // Gives the file to the folder's owner, because the server must be able to read it even if root makes backups.
    const { uid, gid } = await stat(dataDirectory)
    if ((await stat(draft)).uid !== uid) await chown(draft, uid, gid)
    await rename(draft, join(dataDirectory, BACKUP_NOTE_FILE))
  } finally {
    await rm(draft, { force: true })
  }
}
