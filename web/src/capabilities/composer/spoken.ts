interface Fence {
  readonly sign: string
  /** What follows the fence on its line: nothing on a closing one. */
  readonly info: string
}

/** A line that opens or closes a block, also within a list. */
const FENCE = /^\s*(?:(?:[*+-]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})(.*)$/
/** Words after a fence that open a block of Markdown, in which fences nest, rather than one of code. */
const CONTAINER = /^(quote|quoted|spoiler)(?=\s|$)/i
const SPOILER = /^spoiler(?=\s|$)/i

/**
 * The text with spaces in place of what notifies no one, which is what stands in quotes and in code, so that everything else
 * stands where it does.
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

/** Code ends at any fence long enough, and everything else only at one as long as its own, as the renderer has it. */
function closes({ sign, info }: Fence, open: Fence): boolean {
  if (info !== '' || sign[0] !== open.sign[0]) return false
  return CONTAINER.test(open.info) ? sign.length === open.sign.length : sign.length >= open.sign.length
}

function blank(part: string): string {
  return ' '.repeat(part.length)
}
