/**
 * Whether the character before is part of a word, so that the text at `pos` belongs to that word: `a@**b**` mentions
 * no one.
 */
export function followsWord(text: string, pos: number): boolean {
  const before = pos > 1 ? (text.codePointAt(pos - 2) ?? 0) : 0
  return isOfWord(before > 0xffff ? String.fromCodePoint(before) : text.charAt(pos - 1))
}

/** Whether the character at `pos` continues a word. */
export function precedesWord(text: string, pos: number): boolean {
  const after = text.codePointAt(pos)
  return after !== undefined && isOfWord(String.fromCodePoint(after))
}

function isOfWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character)
}
