/** The message explains the reason to operators, without credentials. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway'
  readonly isRefusal: boolean

  constructor(message: string, isRefusal = false) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** Error with the code of a full disk. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
  readonly code = 'ENOSPC'
}

/** Error with the code of a missing file on disk. */
export class FileGone extends Error {
  override readonly name = 'FileGone'
  readonly code = 'ENOENT'
}

export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

const WITHOUT_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && WITHOUT_ROOM.includes(error.code)
}
