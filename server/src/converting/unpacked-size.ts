import { DamagedArchive } from '../platform/backup/reporting.ts'

/** Texts are typically compressed to a tenth. */
const MAX_RATIO = 100
/** Repetitive text can have a higher ratio. */
const ALWAYS_ALLOWED_BYTES = 64 * 1024 * 1024

/** @throws DamagedArchive if an archive unpacks to more than an export can */
export function refuseLarge(path: string, packed: number, unpacked: number): void {
  if (unpacked > Math.max(ALWAYS_ALLOWED_BYTES, packed * MAX_RATIO)) {
    throw new DamagedArchive(`${path} would be far larger than any export when unpacked.`)
  }
}
