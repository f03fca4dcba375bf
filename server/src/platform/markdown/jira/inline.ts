import {
  linkableAddress,
  inlineCode,
  encodeAddress,
  joinWithCodeSpace,
  linkLabel,
  escapeLiteral,
  writeMention,
  styleMarkdown,
  escapeBlockStarts,
  type FindName,
} from './pieces.ts'

/* Jira writes a mark within a word as `{*}`. Unicode noncharacters stand for such marks during conversion. */

const [BOLD, ITALIC, STRIKETHROUGH] = ['\uFDD0', '\uFDD1', '\uFDD2']

/** Inline markup: escapes, code, links, images, URLs, mentions, invisible macros, and formatting. */
const INLINE_PATTERN =
  /\\(?<escaped>[!-/:-@[-`{-~])|\{\{(?<mono>(?:[^{}\n]|\{(?!\{)|\}(?!\}))+)\}\}|\[(?<link>[^[\]\n]+)\]|(?<!\w)!(?=\S)(?<picture>[^!\n|]+)(?:\|[^!\n]*)?!|(?<url>\bhttps?:\/\/[^\s|[\]<>{}\uFDD0-\uFDD2]+)|(?<!\w)\((?<sign>[/x!?iyn+*-])\)|(?<nothing>\{(?:color|anchor)(?::[^{}\n]*)?\}|\{[+^~]\}|&nbsp;)|(?:\uFDD0|(?<![\w*])\*)(?=\S)(?<bold>(?:\\.|[^*\\\n\uFDD0])+)(?:\uFDD0|(?<=\S)\*(?!\w))|(?:\uFDD1|(?<![\w])_)(?=\S)(?<italic>(?:\\.|[^_\\\n\uFDD1]|(?<=[^\W_])_(?=[^\W_]))+)(?:\uFDD1|(?<=\S)_(?!\w))|(?:\uFDD2|(?<![\w-])-)(?=[^\s-])(?<struck>(?:\\.|[^\\\n\uFDD2-]|(?<=\w)-(?=\w))+)(?:\uFDD2|(?<=\S)-(?![\w-]))|(?<![\w+])\+(?=\S)(?<inserted>[^+\n]+)(?<=\S)\+(?!\w)/g

const EMOTICON_TEXTS: Readonly<Record<string, string>> = {
  '/': '✅',
  x: '❌',
  '!': '⚠️',
  '?': '❓',
  i: 'ℹ️',
  y: '👍',
  n: '👎',
  '+': '➕',
  '-': '➖',
  '*': '⭐',
}

export function convertLine(text: string, nameOf: FindName): string {
  const marked = text
    .replace(/[\uFDD0-\uFDD2]/g, '')
    .replace(/\{([*_-])\}/g, (_mark, sign: string) => PLACEHOLDER_BY_MARK[sign] ?? '')
  return escapeBlockStarts(restoreMarks(convertMarks(marked, nameOf), '\\'))
}

const PLACEHOLDER_BY_MARK: Readonly<Record<string, string>> = { '*': BOLD, _: ITALIC, '-': STRIKETHROUGH }
const MARK_BY_PLACEHOLDER: Readonly<Record<string, string>> = { [BOLD]: '*', [ITALIC]: '_', [STRIKETHROUGH]: '-' }

function restoreMarks(text: string, escape = ''): string {
  return text.replace(/[\uFDD0-\uFDD2]/g, (mark) => `{${escape}${MARK_BY_PLACEHOLDER[mark] ?? ''}}`)
}

/** Converts marks. Text between marks contains no marks of the same kind, so nesting stays shallow. */
function convertMarks(text: string, nameOf: FindName): string {
  let [markdown, end] = ['', 0]
  for (const match of text.matchAll(INLINE_PATTERN)) {
    const piece = convertPiece(
      match.groups ?? {},
      nameOf,
      text.charAt(match.index - 1),
      text.charAt(match.index + match[0].length),
    )
    markdown = joinWithCodeSpace(
      markdown + escapeLiteral(text.slice(end, match.index)),
      piece ?? escapeLiteral(match[0]),
    )
    end = match.index + match[0].length
  }
  return markdown + escapeLiteral(text.slice(end))
}

/** Returns undefined if the text only resembles markup. */
function convertPiece(
  { escaped, mono, link, picture, url, sign, nothing, bold, italic, struck, inserted }: Partial<Record<string, string>>,
  nameOf: FindName,
  before: string,
  after: string,
): string | undefined {
  if (escaped !== undefined) return escaped === '\\' ? '\n' : escapeLiteral(escaped)
  if (mono !== undefined) return inlineCode(restoreMarks(mono.replace(/\\([!-/:-@[-`{-~])/g, '$1')))
  if (link !== undefined) return convertLink(link, nameOf)
  if (picture !== undefined) return convertPicture(picture)
  if (url !== undefined) return encodeAddress(url)
  if (sign !== undefined) return EMOTICON_TEXTS[sign]
  if (nothing !== undefined) return nothing === '&nbsp;' ? ' ' : ''
  if (bold !== undefined) return styleMarkdown('**', convertMarks(bold, nameOf), before, after)
  if (italic !== undefined) return styleMarkdown('*', convertMarks(italic, nameOf), before, after)
  if (struck !== undefined) return styleMarkdown('~~', convertMarks(struck, nameOf), before, after)
  return inserted === undefined ? undefined : convertMarks(inserted, nameOf)
}

function convertLink(inner: string, nameOf: FindName): string {
  const [words = '', target = words] = inner.split('|', 2).map((part) => part.trim())
  if (target.startsWith('~')) return writeMention(target.slice(1), nameOf)
  if (target.startsWith('^')) return inlineCode(target.slice(1))
  const url = linkableAddress(target)
  if (url === undefined)
    return words === target
      ? `${escapeLiteral('[')}${convertMarks(inner, nameOf)}${escapeLiteral(']')}`
      : convertMarks(words, nameOf)
  // Links to issues and pages often have their URL as text.
  return linkLabel(
    words === target || linkableAddress(words) !== undefined
      ? escapeLiteral(words.replace(/^mailto:/, ''))
      : convertMarks(words, nameOf),
    target,
  )
}

function convertPicture(name: string): string | undefined {
  if (linkableAddress(name) !== undefined) return linkLabel('Picture', name)
  return /\.\w{2,5}$/.test(name) ? inlineCode(name) : undefined
}
