/** Reports how much of a step is done; `total` is 0 if unknown. */
export type Report = (step: string, done: number, total: number) => void

export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup'
}

export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError'
}
