import { randomBytes } from 'node:crypto'
import { chown, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { goneIs, writeDurably } from './folder.ts'
import type { Manifest } from './manifest.ts'

/** In the data folder; no backup has it, so that a server that was restored knows of none. */
const NOTE = 'backups.json'

const notedBackup = z.object({
  /** Where it was made. It may have been taken elsewhere since. */
  directory: z.string(),
  /** UNIX seconds: the moment that it shows. */
  snapshot_at: z.number(),
  /** The SHA-256 of its list of checksums, by which it is known again in another place. */
  sums: z.string(),
})

const backupNote = z.object({
  latest: notedBackup,
  /** The latest of those that `parley verify` found whole; null where it has seen none. */
  verified: z.nullable(notedBackup),
})

/** What a server knows of its backups. */
export type BackupNote = z.infer<typeof backupNote>

/** @returns undefined where no backup was made, or what was noted of it cannot be understood */
export async function readBackupNote(dataDirectory: string): Promise<BackupNote | undefined> {
  const text = await readFile(join(dataDirectory, NOTE), 'utf8').catch(goneIs(undefined))
  if (text === undefined) return undefined
  try {
    return backupNote.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export async function noteBackup(dataDirectory: string, directory: string, manifest: Manifest): Promise<void> {
  const verified = (await readBackupNote(dataDirectory))?.verified ?? null
  const latest = { directory: resolve(directory), snapshot_at: manifest.snapshotAt, sums: manifest.sums }
  await write(dataDirectory, { latest, verified })
}

/** Notes that a backup is whole, if it is the latest of this server. */
export async function noteVerified(dataDirectory: string, manifest: Manifest): Promise<void> {
  const note = await readBackupNote(dataDirectory)
  if (note === undefined || note.latest.sums !== manifest.sums) return
  await write(dataDirectory, { ...note, verified: note.latest })
}

async function write(dataDirectory: string, note: BackupNote): Promise<void> {
  const draft = join(dataDirectory, `${NOTE}.${randomBytes(4).toString('hex')}`)
  try {
    await writeDurably(draft, `${JSON.stringify(note)}\n`)
    // The account that runs the server reads it, also where root makes the backups.
    const { uid, gid } = await stat(dataDirectory)
    if ((await stat(draft)).uid !== uid) await chown(draft, uid, gid)
    await rename(draft, join(dataDirectory, NOTE))
  } finally {
    await rm(draft, { force: true })
  }
}
