/**
 * Returns the key for lookups by name or email, in memory and in unique indexes: names that differ only in case or in
 * Unicode composition (`é` is one code point or two) share a key. Only this function computes it, because databases
 * lower-case some letters differently.
 */
export function caseKey(name: string): string {
  return name.toLowerCase().normalize('NFC')
}
