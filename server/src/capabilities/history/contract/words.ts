/** Splits a text into words. Must match the database's parser. */
export function wordsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)
}

/** Splits `"in this order" apart host.example` into the phrases `in this order`, `apart`, and `host example`, in NFC. */
export function phrasesIn(text: string): string[] {
  const parts = [...text.normalize('NFC').matchAll(/"([^"]*)"|([^\s"]+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  )
  const phrases = parts
    .map((part) => Array.from(wordsIn(part), ([word]) => word).join(' '))
    .filter((phrase) => phrase !== '')
  return [...new Set(phrases)]
}
