const WORD_CHARACTER = /[\p{L}\p{N}_]/u

/** Whether the character before is part of a word, so that what follows belongs to it: `a@**b**` mentions nobody. */
export function followsWord(text: string, pos: number): boolean {
  const before = pos > 1 ? (text.codePointAt(pos - 2) ?? 0) : 0
  return WORD_CHARACTER.test(before > 0xffff ? String.fromCodePoint(before) : text.charAt(pos - 1))
}

/** Whether the character at `pos` continues a word. */
export function precedesWord(text: string, pos: number): boolean {
  const after = text.codePointAt(pos)
  return after !== undefined && WORD_CHARACTER.test(String.fromCodePoint(after))
}
