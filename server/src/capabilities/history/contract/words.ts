/** The words of a text. The database's parser takes the same words apart, and blanks the characters between them. */
export function wordsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)
}

/** `"in this order" apart host.example` as phrases: `in this order`, `apart`, `host example`. */
export function phrasesIn(text: string): string[] {
  const parts = [...text.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  const phrases = parts
    .map((part) => Array.from(wordsIn(part), ([word]) => word).join(' '))
    .filter((phrase) => phrase !== '')
  return [...new Set(phrases)]
}
