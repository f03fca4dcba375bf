/*
 * Texts that are in Markdown already and come from outside: they keep it, but mention nobody and link no channel.
 */

/** Each escaped sign as one, so that it is no opening, and what begins a mention or a link to a channel. */
const OPENINGS = /\\[^]|[@#](?=_?\*)/g

/** A fence that begins Markdown of its own, in which other fences may end otherwise. */
const CONTAINER = /(?:`{3}|~{3})[ \t]*(?:quote|spoiler)/i

/** Markdown in which nobody is mentioned and no channel or topic is linked, whatever stands before and behind it. */
export function harmless(markdown: string): string {
  return markdown.replace(OPENINGS, (found) => (found.length === 1 ? `\\${found}` : found))
}

/**
 * Markdown that has a block of its own around it, without mentions and links to channels, in which code stays as it was written: a
 * backslash would be seen there.
 * What is only likely to be code is treated as words.
 */
export function harmlessBlock(markdown: string): string {
  const shown = harmless(markdown)
  return shown === markdown || CONTAINER.test(markdown) ? shown : partsOf(markdown).join('')
}

/** The lines of blocks of code as they are, and the paragraphs between them without openings. */
function partsOf(markdown: string): string[] {
  const parts: string[] = []
  let paragraph: string[] = []
  /** The fence of the block of code that goes on. With `unsure`, nothing more is known to be code. */
  let [fence, unsure] = ['', false]
  const endParagraph = (): void => {
    parts.push(...harmlessLines(paragraph, unsure))
    paragraph = []
  }
  for (const line of linesOf(markdown)) {
    const begun = FENCE.exec(line)?.[1] ?? ''
    if (fence !== '') {
      parts.push(line)
      if (isEnd(line, fence)) fence = ''
    } else if (begun !== '' && !unsure) {
      endParagraph()
      parts.push(line)
      fence = begun
    } else {
      // A fence that is indented may belong to an item of a list, and end with it.
      unsure ||= /`{3}|~{3}/.test(line)
      paragraph.push(line)
      if (line.trim() === '') endParagraph()
    }
  }
  endParagraph()
  return parts
}

/** Each with what ends it. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n|\r(?!\n))/)
}

/** At the beginning of a line, which is within no item and no quotation then. */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/

function isEnd(line: string, fence: string): boolean {
  const run = /^ {0,3}(`+|~+)[ \t]*[\r\n]*$/.exec(line)?.[1] ?? ''
  return run.startsWith(fence)
}

/** What may begin something else than code that has a backtick in it: an escape, an address, a formula, a cell, a link. */
const NOT_PLAIN = /[\\<$|]|:\/|\]\(/

/** Code within a line stays, if that is how all lines of the paragraph are read wherever its blocks begin. */
function harmlessLines(lines: readonly string[], unsure: boolean): string[] {
  const inPieces = unsure || lines.some((line) => NOT_PLAIN.test(line)) ? [] : lines.map(codeIn)
  const areSure = inPieces.length > 0 && !inPieces.includes(undefined)
  return lines.map((line, index) => {
    const pieces = areSure ? inPieces[index] : undefined
    return pieces === undefined
      ? harmless(line)
      : pieces.map((piece, at) => (at % 2 === 1 ? piece : harmless(piece))).join('')
  })
}

/** The pieces of a line, of which every second one is code; undefined where a backtick is left over. */
function codeIn(line: string): string[] | undefined {
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
