/* Templates of issues and pull requests contain instructions in comments, which Markdown hides. */

/**
 * Matches starts and ends of code blocks (in list items, too), paragraph ends (a blank line, or a comment on its own
 * line), starts of comments, and starts and ends of inline code.
 */
const MARKS = /^[ \t>]*(?:([-+*]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})|\n[ \t>]*(?=\n|<!--)|<!--|`+/gm

const BEGIN = '<!--'
const END = '-->'

/** Leaves comments inside code. */
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
      // `<!-->` is a complete comment, so the end can share the hyphens.
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

/** Maps the start of inline code to its end: the paragraph's next backtick run of the same length. */
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

/** Returns the fence of a mark. Backticks followed by more backticks on their line are inline code. */
function fenceAt(markdown: string, mark: RegExpExecArray): string | undefined {
  const [, , fence] = mark
  return fence?.startsWith('`') === true && restOfLine(markdown, mark).includes('`') ? undefined : fence
}

function restOfLine(markdown: string, { 0: whole, index }: RegExpExecArray): string {
  const start = index + whole.length
  const end = markdown.indexOf('\n', start)
  return markdown.slice(start, end < 0 ? undefined : end).trim()
}
