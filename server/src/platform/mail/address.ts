/** One address and nothing that a header or a command of SMTP takes for more than that. */
export function isAddress(text: string): boolean {
  return /^[^\s\p{Cc}@<>()[\]"`*\\,;:]+@[^\s\p{Cc}@<>()[\]"`*\\,;:]+$/u.test(text)
}

/** A header ends with its line, so what is put into one has no line ends and no other control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
