import { DamagedArchive } from '../platform/moving/damage.ts'

/** All files of an archive may be this much larger than it is: texts are packed to a tenth. */
const MAX_RATIO = 100
/** Small archives of repeated words are packed better. */
const ALWAYS_ALLOWED_BYTES = 64 * 1024 * 1024

/** @throws DamagedArchive where an archive of so many bytes has more in it than an export can */
export function refuseLarge(path: string, packed: number, unpacked: number): void {
  if (unpacked > Math.max(ALWAYS_ALLOWED_BYTES, packed * MAX_RATIO)) {
    throw new DamagedArchive(`${path} says to be far larger unpacked than any export.`)
  }
}
