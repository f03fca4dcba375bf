import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Range whose ends are both inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface ListedFile {
  readonly key: string
  readonly size: number
  readonly storedAt: number
}

export interface StoreReport {
  readonly kind: 'folder' | 's3'
  readonly isReached: boolean
  /** Requests since the process started; 0 for a folder. */
  readonly requests: number
  readonly failures: number
}

/** Stores files under keys that reveal nothing. Their names, owners, and permissions are in the database. */
export interface FileStore {
  readonly place: string
  readonly incoming: string
  readonly report: StoreReport
  /** Returns why the store is not writable, as a sentence without a period, or undefined if it is. */
  failure(): Promise<string | undefined>
  put(key: string, path: string): Promise<void>
  write(key: string, bytes: Uint8Array): Promise<void>
  size(key: string): Promise<number | undefined>
  /** Returns a stream that fails with ENOENT if the file does not exist. */
  read(key: string, range?: ByteRange): Readable
  remove(key: string): Promise<void>
  list(): AsyncIterable<ListedFile>
  /** Removes files whose key has the organization's ID as its second segment. */
  removeOrganization(organizationId: number): Promise<void>
  close(): void
}

const RANDOM_NAME_BYTES = 18
const KEY_PATTERN = /^[\w-]+\/\d+(\/[\w-]+)+(\.\w+)?$/

export function isKey(name: string): boolean {
  return KEY_PATTERN.test(name)
}

/** Returns the key if it is valid. Other keys could lead outside the folder. @throws Error */
export function requireValidKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a file key: ${key}`)
  return key
}

export function randomName(): string {
  return randomBytes(RANDOM_NAME_BYTES).toString('base64url')
}

/** The message explains the reason to operators, without credentials. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  readonly isRefusal: boolean

  constructor(message: string, isRefusal = false) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** Error with the code of a full disk. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError'
  readonly code = 'ENOSPC'
}

/** Error with the code of a missing file on disk. */
export class FileGoneError extends Error {
  override readonly name = 'FileGoneError'
  readonly code = 'ENOENT'
}

export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

const DISK_FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_FULL_CODES.includes(error.code)
}
