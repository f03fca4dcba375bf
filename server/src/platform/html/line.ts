/** Invisible characters and direction overrides. Joiners stay, because words and emoji need them. */
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/gu

/** Removes characters that disturb surrounding text or cannot be stored. */
export function lineOf(text: string, most: number): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE, '').trim()
  const characters = Array.from(line.slice(0, 4 * most))
  return characters.length <= most
    ? characters.join('')
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
