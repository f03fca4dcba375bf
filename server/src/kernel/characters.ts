/*
 * Properties of characters, by the rules of Unicode. Node takes up to a millisecond to load the tables of one
 * expression, so expressions with properties are evaluated when they are needed, not at every start.
 */

/** Scripts in which a joiner between two letters changes what is seen. */
const JOINING_SCRIPTS =
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil Telugu'.split(
    ' ',
  )

/**
 * Whether every character of a name can be told from its place and its neighbours. Control characters, characters
 * without a shape and those that turn the direction of writing would make two names look the same. Joiners and
 * selectors of a variant are allowed where they change letters, as are the characters that join several emoji into
 * one.
 */
export function isPrintable(name: string): boolean {
  // Line ends, annotation marks, halves of surrogate pairs and the Braille pattern without dots cannot be seen
  // either.
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u2800]/u.test(name)) return false
  if (!hasInvisible(name)) return true
  const joining = JOINING_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')
  const seen = name
    .replace(new RegExp(`(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`, 'gu'), '')
    .replace(
      /(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]/gu,
      '',
    )
    .replace(/(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[#*0-9])\uFE0F(?=\u20E3)/gu, '')
    .replace(/(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200D(?=\p{Extended_Pictographic})/gu, '')
    .replace(/(?<=\u{1F3F4})[\u{E0020}-\u{E007E}]{1,8}\u{E007F}/gu, '')
  return !hasInvisible(seen)
}

/** What of a name from elsewhere, where it is not to be refused, can be seen as it is: `isPrintable` lets it through. It may be empty. */
export function printablePart(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  if (isPrintable(line)) return line
  return line.replace(/[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u2800]/gu, '').trim()
}

function hasInvisible(text: string): boolean {
  return /\p{Default_Ignorable_Code_Point}/u.test(text)
}

/** Whether a name has a character that can be seen. Fillers of Hangul and the Braille pattern without dots cannot. */
export function isVisible(name: string): boolean {
  return /(?![\u2800\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}]/u.test(name)
}

/** Whether a text has no character that can be seen. Characters that this version of Unicode does not know can. */
export function isBlank(text: string): boolean {
  return !/(?!\p{Default_Ignorable_Code_Point})[^\s\p{Cc}\p{Cf}\u2800]/u.test(text)
}

/** The key that names share which differ only in case, width, spaces and characters without a shape. */
export function likenessKey(name: string): string {
  // Upper case and characters without a shape keep other characters from being composed, so the name is normalized
  // before and after these are gone.
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s\u2800]+/gu, ' ')
    .trim()
}

/** The first code points of a text, with an ellipsis as the last of them if there are more. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  // No code point has more than two units, so that a long text need not be taken apart as a whole.
  const points = Array.from(text.slice(0, 2 * most + 2))
  if (points.length <= most) return text
  return `${points
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}
