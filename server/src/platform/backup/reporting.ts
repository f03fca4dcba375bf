/** Reports progress: bytes done of a step's total; 0 if the total is unknown. */
export type Report = (step: string, done: number, total: number) => void

/** The backup is incomplete or damaged. The message is a sentence for the operator. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup'
}

/** The archive is incomplete or damaged. The message is a sentence for the operator. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}
