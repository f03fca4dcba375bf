/* Node needs up to 1 ms to load a Unicode property, so expressions that contain one are created on demand. */

/** Scripts in which a joiner changes the letters beside it. */
const SCRIPTS_WITH_JOINERS =
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil Telugu'.split(
    ' ',
  )

/** Rejects invisible characters and direction overrides, which disguise names. Allows joiners in letters and emoji. */
export function isPrintable(name: string): boolean {
  // `hasInvisibleCharacter` misses control characters, separators, annotations, lone surrogates, and blank symbols.
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u2800\u{1D159}]/u.test(name)) return false
  if (!hasInvisibleCharacter(name)) return true
  const joining = SCRIPTS_WITH_JOINERS.map((script) => `\\p{Script=${script}}`).join('')
  const seen = name
    .replace(new RegExp(`(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`, 'gu'), '')
    .replace(
      /(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]/gu,
      '',
    )
    .replace(/(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[#*0-9])\uFE0F(?=\u20E3)/gu, '')
    .replace(/(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200D(?=\p{Extended_Pictographic})/gu, '')
    .replace(/(?<=\u{1F3F4})[\u{E0020}-\u{E007E}]{1,8}\u{E007F}/gu, '')
  return !hasInvisibleCharacter(seen)
}

/** Converts an imported name to one that `isPrintable` accepts, in NFC. The result can be empty. */
export function toPrintable(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const printable = isPrintable(line)
    ? line
    : line
        .replace(/[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u2800\u{1D159}]/gu, '')
        .trim()
  return printable.normalize('NFC')
}

function hasInvisibleCharacter(text: string): boolean {
  return /\p{Default_Ignorable_Code_Point}/u.test(text)
}

/** Whether a name has a visible character. Hangul fillers and blank symbols do not count. */
export function hasVisibleCharacter(name: string): boolean {
  return /(?![\u2800\u{1D159}\uFFFC\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}]/u.test(name)
}

/** Whether the text has no visible character. Characters unknown to this Unicode version count as visible. */
export function isBlank(text: string): boolean {
  return !/(?!\p{Default_Ignorable_Code_Point})[^\s\p{Cc}\p{Cf}\u2800\u{1D159}\uFFFC]/u.test(text)
}

/** Returns the same key for names that differ only in case, character width, spaces, or invisible characters. */
export function similarityKey(name: string): string {
  // Upper case and invisible characters prevent composition, so the text is normalized again after these replacements.
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s\u2800\u{1D159}]+/gu, ' ')
    .replaceAll('ς', 'σ')
    .trim()
}

/** Truncates text to at most `most` code points, including the final ellipsis. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text
  const points = Array.from(text.slice(0, 2 * most + 2))
  if (points.length <= most) return text
  return `${points
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}

/** Stands for `Buffer`, a type that the web client lacks. */
interface DecodableBytes {
  toString(encoding: 'utf8'): string
}

/** Decodes UTF-8 without the byte order mark that some programs add at the start. */
export function decodeUtf8(bytes: DecodableBytes): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
