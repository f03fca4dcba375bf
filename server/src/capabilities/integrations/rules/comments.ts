/*
 * The templates of issues and pull requests say in comments how they are filled in, which Markdown does not show.
 */

/**
 * What may begin or end a block of code, in an item of a list as well; where a paragraph ends, at a blank line or at a comment on
 * a line of its own; what begins a comment; and what may begin or end code within a line.
 */
const MARKS = /^[ \t>]*(?:([-+*]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})|\n[ \t>]*(?=\n|<!--)|<!--|`+/gm

const BEGIN = '<!--'
const END = '-->'

/** Markdown without the comments in it. What looks like one within code stays. */
export function withoutComments(markdown: string): string {
  const spans = codeSpans(markdown)
  const parts: string[] = []
  let [done, codeEnd, openFence] = [0, 0, '']
  for (const mark of markdown.matchAll(MARKS)) {
    if (mark.index < Math.max(done, codeEnd)) continue
    const fence = fenceAt(markdown, mark)
    if (openFence !== '') {
      const isEnd = fence?.startsWith(openFence) === true && mark[1] === undefined && restOfLine(markdown, mark) === ''
      if (isEnd) openFence = ''
    } else if (fence !== undefined) {
      openFence = fence
    } else if (mark[0] === BEGIN) {
      // The two hyphens may be those of the end: `<!-->` is a comment, too.
      const end = markdown.indexOf(END, mark.index + 2)
      if (end < 0) break
      parts.push(markdown.slice(done, mark.index))
      done = end + END.length
    } else {
      codeEnd = spans.get(mark.index) ?? 0
    }
  }
  return parts.join('') + markdown.slice(done)
}

/** Where the code within a line ends, by where it begins: behind the next backticks of the paragraph that are as many. */
function codeSpans(markdown: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const starts = new Map<number, number>()
  for (const mark of markdown.matchAll(MARKS)) {
    const { index, 0: whole, 2: backticks = whole } = mark
    if (fenceAt(markdown, mark) !== undefined || whole.startsWith('\n')) {
      starts.clear()
    } else if (backticks.startsWith('`')) {
      const start = starts.get(backticks.length)
      if (start !== undefined) ends.set(start, index + whole.length)
      starts.set(backticks.length, index)
    }
  }
  return ends
}

/** The fence that a mark is; undefined for another one, and for backticks that more backticks follow in their line. */
function fenceAt(markdown: string, mark: RegExpExecArray): string | undefined {
  const [, , fence] = mark
  return fence?.startsWith('`') === true && restOfLine(markdown, mark).includes('`') ? undefined : fence
}

function restOfLine(markdown: string, { 0: whole, index }: RegExpExecArray): string {
  const start = index + whole.length
  const end = markdown.indexOf('\n', start)
  return markdown.slice(start, end < 0 ? undefined : end).trim()
}
