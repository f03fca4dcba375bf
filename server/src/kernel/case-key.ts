/**
 * What two names that differ only in case have in common: the key of every lookup by name or address, in memory and
 * in unique indexes. Computed here alone, because databases fold some letters differently.
 */
export function caseKey(name: string): string {
  return name.toLowerCase()
}
