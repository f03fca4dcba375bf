/** The store of files cannot be asked. Its message says why, in words for those who run the server, without credentials. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway'
  /** Whether it answered, and does not want to. */
  readonly isRefusal: boolean

  constructor(message: string, isRefusal = false) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** There is no room for a file, as on a disk. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
  readonly code = 'ENOSPC'
}

/** There is no such file, as on a disk. */
export class FileGone extends Error {
  override readonly name = 'FileGone'
  readonly code = 'ENOENT'
}

/** Whether a file that should be read is not there any more. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** How the system says that there is no room for a file. */
const WITHOUT_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Whether a file could not be written because there is no room for it. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && WITHOUT_ROOM.includes(error.code)
}
