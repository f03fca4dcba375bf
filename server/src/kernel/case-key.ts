/**
 * The key of every lookup by name or address, in memory and in unique indexes: names that differ only in case have
 * the same key. It is computed here alone, because databases fold some letters differently.
 */
export function caseKey(name: string): string {
  return name.toLowerCase()
}
