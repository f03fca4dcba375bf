interface Fence {
  readonly sign: string
  /** The rest of the fence's line; empty for a closing fence. */
  readonly info: string
}

/** A line that opens or closes a fenced block, even within a list. */
const FENCE = /^\s*(?:(?:[*+-]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})(.*)$/
/** Info words of Markdown blocks, in which fences nest, unlike in code blocks. */
const CONTAINER = /^(quote|quoted|spoiler)(?=\s|$)/i
const SPOILER = /^spoiler(?=\s|$)/i

/**
 * Replaces quotes and code, in which mentions notify no one, with spaces, so that the indexes of other characters stay
 * the same.
 */
export function spokenOf(text: string): string {
  const open: Fence[] = []
  return text
    .split('\n')
    .map((line) => {
      const innermost = open.at(-1)
      const isCode = innermost !== undefined && !CONTAINER.test(innermost.info)
      const fence = fenceOf(line)
      if (fence !== undefined && innermost !== undefined && closes(fence, innermost)) open.pop()
      else if (fence !== undefined && !isCode) open.push(fence)
      const isSilent = open.some(({ info }) => !SPOILER.test(info)) || (!isCode && /^\s*>/.test(line))
      return isSilent ? blank(line) : line.replaceAll(/`[^`]*`/g, blank)
    })
    .join('\n')
}

function fenceOf(line: string): Fence | undefined {
  const [, sign, info = ''] = FENCE.exec(line) ?? []
  return sign === undefined ? undefined : { sign, info: info.trim() }
}

/**
 * Mirrors the renderer: code ends at any fence that is at least as long as the opening fence, and a Markdown block only
 * at a fence of equal length.
 */
function closes({ sign, info }: Fence, open: Fence): boolean {
  if (info !== '' || sign[0] !== open.sign[0]) return false
  return CONTAINER.test(open.info) ? sign.length === open.sign.length : sign.length >= open.sign.length
}

function blank(part: string): string {
  return ' '.repeat(part.length)
}
