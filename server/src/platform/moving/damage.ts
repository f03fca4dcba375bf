/** The archive is incomplete or damaged. The message is a sentence for the operator. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

/** The import cannot start. The message is a sentence for the operator. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}
