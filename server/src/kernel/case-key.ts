/**
 * Returns the key for lookups by name or email, in memory and in unique indexes: names that differ only in case or in
 * Unicode composition share a key. Databases lower-case some letters differently.
 */
export function caseKey(name: string): string {
  return name.toLowerCase().normalize('NFC')
}
