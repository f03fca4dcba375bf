/* Markdown from outside keeps its formatting but mentions no one and links no channels. */

/** Matches escaped characters, to skip them, and starts of mentions and channel links. */
const ESCAPES_AND_MENTION_STARTS = /\\[^]|[@#](?=_?\*)/g

/** Start of a quote or spoiler block, which contains Markdown that can change where code ends. */
const MARKDOWN_CONTAINER_START = /(?:`{3}|~{3})[ \t]*(?:quote|spoiler)/i

/** Escapes mentions and channel links. The result is safe next to any other text. */
export function escapeMentions(markdown: string): string {
  return markdown.replace(ESCAPES_AND_MENTION_STARTS, (found) => (found.length === 1 ? `\\${found}` : found))
}

/** Escapes like `escapeMentions`, but preserves code, where a backslash would be visible. */
export function escapeBlock(markdown: string): string {
  const shown = escapeMentions(markdown)
  return shown === markdown || MARKDOWN_CONTAINER_START.test(markdown) ? shown : escapeOutsideCode(markdown).join('')
}

function escapeOutsideCode(markdown: string): string[] {
  const parts: string[] = []
  let paragraph: string[] = []
  /** Fence of the current code block. Once `unsure`, no more text counts as code. */
  let [fence, unsure] = ['', false]
  const endParagraph = (): void => {
    parts.push(...escapeOutsideInlineCode(paragraph, unsure))
    paragraph = []
  }
  for (const line of splitLines(markdown)) {
    const begun = FENCE_START.exec(line)?.[1] ?? ''
    if (fence !== '') {
      parts.push(line)
      if (closesFence(line, fence)) fence = ''
    } else if (begun !== '' && !unsure) {
      endParagraph()
      parts.push(line)
      fence = begun
    } else {
      // An indented fence can open a code block that ends with a list item.
      unsure ||= /`{3}|~{3}/.test(line)
      paragraph.push(line)
      if (line.trim() === '') endParagraph()
    }
  }
  endParagraph()
  return parts
}

function splitLines(text: string): string[] {
  return text.split(/(?<=\n|\r(?!\n))/)
}

const FENCE_START = /^(`{3,}(?=[^`]*$)|~{3,})/

function closesFence(line: string, fence: string): boolean {
  const run = /^ {0,3}(`+|~+)[ \t]*[\r\n]*$/.exec(line)?.[1] ?? ''
  return run.startsWith(fence)
}

const OTHER_SYNTAX_PATTERN = /[\\<$|]|:\/|\]\(/

/** Preserves inline code only if it stays code no matter where in the paragraph a block might start. */
function escapeOutsideInlineCode(lines: readonly string[], unsure: boolean): string[] {
  const inPieces = unsure || lines.some((line) => OTHER_SYNTAX_PATTERN.test(line)) ? [] : lines.map(splitAtInlineCode)
  const areSure = inPieces.length > 0 && !inPieces.includes(undefined)
  return lines.map((line, index) => {
    const pieces = areSure ? inPieces[index] : undefined
    return pieces === undefined
      ? escapeMentions(line)
      : pieces.map((piece, at) => (at % 2 === 1 ? piece : escapeMentions(piece))).join('')
  })
}

function splitAtInlineCode(line: string): string[] | undefined {
  const runs = [...line.matchAll(/`+/g)]
  const pieces: string[] = []
  let [done, next] = [0, 0]
  while (next < runs.length) {
    const start = runs[next]
    let closing = next + 1
    while (closing < runs.length && runs[closing]?.[0] !== start?.[0]) closing += 1
    const end = runs[closing]
    if (start === undefined || end === undefined) return undefined
    const after = end.index + end[0].length
    pieces.push(line.slice(done, start.index), line.slice(start.index, after))
    done = after
    next = closing + 1
  }
  return [...pieces, line.slice(done)]
}
