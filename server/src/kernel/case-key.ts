/** Returns the key for lookups: equal for names that differ only in case, composition, spaces, or a final sigma. */
export function caseKey(name: string): string {
  const lower = name.toLowerCase()
  // Most names need no more.
  if (!/[^ -~]|  /.test(name)) return lower
  return lower
    .normalize('NFC')
    .replace(/[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+/g, ' ')
    .replaceAll('ς', 'σ')
}
