/** An archive that is not whole, or not as it was written. The message is a sentence for the operator. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

/** An import that cannot be begun. The message is a sentence for the operator. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}
