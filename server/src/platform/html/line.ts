/**
 * Characters that nobody sees, and that turn the direction of what follows. Those that join letters and emoji, or keep them apart,
 * stay: words are written with them.
 */
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/gu

/**
 * A text of strangers on one line, without what would disturb the text around it, or cannot be stored.
 * @param most how many characters of it are wanted
 */
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
