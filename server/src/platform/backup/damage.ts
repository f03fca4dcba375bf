/** The message is a sentence for the operator. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup'
}
