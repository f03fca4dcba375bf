import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Both ends inclusive, from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file, as it is listed. */
export interface ListedFile {
  readonly key: string
  readonly size: number
  /** UNIX seconds: when it was stored. */
  readonly storedAt: number
}

/** What is known of a store in this process. */
export interface StoreReport {
  readonly kind: 'folder' | 's3'
  /** False where it was asked last in vain. */
  readonly isReached: boolean
  /** Since the process began; of a folder, none are counted. */
  readonly requests: number
  readonly failures: number
}

/**
 * Stores the bytes of files under keys that say nothing of the files. Their names, their owners and who may fetch
 * them are in the database.
 */
export interface FileStore {
  /** Where the files are, for those who run the server. */
  readonly place: string
  /** A folder of this machine for files that are still arriving; made at its first use. */
  readonly incoming: string
  readonly report: StoreReport
  /** Why nothing can be stored there, in a sentence without its full stop; undefined where it can. */
  failure(): Promise<string | undefined>
  /** Takes over a file that lies in `incoming`. The file is durable when `put` returns. */
  put(key: string, path: string): Promise<void>
  /** Stores bytes that this process made. They are durable when `write` returns. */
  write(key: string, bytes: Uint8Array): Promise<void>
  /** The size in bytes; undefined where there is no such file. */
  size(key: string): Promise<number | undefined>
  /** The stream fails as for files of a disk: with ENOENT where there is no such file. */
  read(key: string, range?: ByteRange): Readable
  /** Removes a file; a file that is not there is no error. */
  remove(key: string): Promise<void>
  /** All files, but for those that are still arriving. */
  list(): AsyncIterable<ListedFile>
  /** Removes all files of an organization. The second part of each key is its id. */
  removeOrganization(organizationId: number): Promise<void>
  /** Ends its connections. */
  close(): void
}

/** The bytes of randomness in a name, so many that a name cannot be guessed. */
const NAME_BYTES = 18
/** The kind of the file, the organization's id, and names. */
const KEY = /^[\w-]+\/\d+(\/[\w-]+)+(\.\w+)?$/

/** Whether a name is of our making. Whatever else lies in a store is left alone. */
export function isKey(name: string): boolean {
  return KEY.test(name)
}

/** @throws Error for what is none: no file may lie elsewhere */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`not the key of a file: ${key}`)
  return key
}

/** A name that cannot be guessed, fit for addresses and file systems. */
export function randomName(): string {
  return randomBytes(NAME_BYTES).toString('base64url')
}
