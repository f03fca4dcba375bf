import { decodeUrl, fileName, FILE_PREFIX } from '../uploads/files.ts'
import { blankCode } from './blanking.ts'
import type { ComposedText } from './composed-text.ts'

export interface UploadLink {
  /** Unique among the links of a text, and unchanged when other links are removed. */
  readonly key: string
  readonly name: string
  readonly path: string
  readonly from: number
  readonly to: number
}

/** Links can also be written like pictures: `![text](url)`. A URL can contain pairs of parentheses. */
const LINK =
  /(?<!\\)!?\[((?:\\.|[^[\]\\\n])*)\]\((\/user_uploads\/[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:[ \t]+"[^"\n]*")?\)/g
const ESCAPED_SIGN = /\\([!-/:-@[-`{-~])/g

export function uploadLinksIn(text: string): readonly UploadLink[] {
  const counts = new Map<string, number>()
  return [...blankCode(text).matchAll(LINK)].flatMap(({ 0: { length }, 1: label = '', 2: address = '', index }) => {
    const path = pathOf(address)
    if (path === undefined) return []
    const count = counts.get(path) ?? 0
    counts.set(path, count + 1)
    const name = fileName(path, label.replaceAll(ESCAPED_SIGN, '$1'))
    return [{ key: `${path} ${count}`, name, path, from: index, to: index + length }]
  })
}

/** Returns undefined if the URL leaves the folder of uploads through `..`. */
function pathOf(address: string): string | undefined {
  const { pathname } = new URL(address, window.location.origin)
  return pathname.startsWith(FILE_PREFIX) ? pathname : undefined
}

/** Returns the file's name as the server knows it: `2/ab/photo.png`. */
export function pathIdOf({ path }: UploadLink): string {
  return decodeUrl(path.slice(FILE_PREFIX.length))
}

/** Removes a link so that the browser can undo it. The caret keeps its position in the rest of the text. */
export function removeLink(writing: ComposedText, link: UploadLink): void {
  const [from, to] = rangeOf(writing.text.peek(), link)
  const [start, end] = writing.selection.map((at) => (at < to ? Math.min(at, from) : at - (to - from)) - from)
  writing.replace(from, to, '', [start ?? 0, end ?? 0])
}

/** Includes the line break of a link that is alone on its line, and the space before a link at the end of a line. */
function rangeOf(text: string, { from, to }: UploadLink): readonly [from: number, to: number] {
  const [before, after] = [text.charAt(from - 1), text.charAt(to)]
  const isStart = before === '' || before === '\n'
  const isEnd = after === '' || after === '\n'
  if (isStart && after === '\n') return [from, to + 1]
  if (before !== '' && isEnd && (isStart || before === ' ')) return [from - 1, to]
  return before === ' ' && after === ' ' ? [from, to + 1] : [from, to]
}
