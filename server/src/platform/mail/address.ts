/** Whether the text is a single address, without characters special in headers or SMTP commands. */
export function isAddress(text: string): boolean {
  return /^[^\s\p{Cc}@<>()[\]"`*\\,;:]+@[^\s\p{Cc}@<>()[\]"`*\\,;:]+$/u.test(text)
}

/** Removes line breaks and control characters, so that text cannot end a header. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
