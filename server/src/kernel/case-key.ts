/**
 * Returns the key for lookups by name or email, in memory and in unique indexes: names that differ only in case, Unicode
 * composition, the kind and number of spaces, or a final sigma share a key. Databases lower-case some letters differently.
 */
export function caseKey(name: string): string {
  const lower = name.toLowerCase().normalize('NFC')
  return lower.replace(/[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+/g, ' ').replaceAll('ς', 'σ')
}
