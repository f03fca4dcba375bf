interface Fence {
  readonly sign: string
  readonly info: string
  /** Number of `>` before the fence. A line with fewer ends the quote, and with it the block. */
  readonly depth: number
}

const FENCE = /^[\s>]*(?:(?:[*+-]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})(.*)$/
/** Markdown blocks in which fences can be nested, unlike in code. */
const MARKDOWN_BLOCK = /^(quote|quoted|spoiler)(?=\s|$)/i
const SPOILER = /^spoiler(?=\s|$)/i
const INDENTED_LINE = /^(?: {4}|\t)/
const LIST_ITEM = /^\s*(?:[*+-]|\d{1,9}[.)])\s/
/** Code in a line of text. It can continue on the next line, but not in another paragraph. */
const INLINE_CODE = /(?<![`\\])(`+)(?!`)(?:(?!\n\s*\n)[^])+?(?<!`)\1(?!`)/g

/** Replaces code with the same number of spaces. */
export function blankCode(text: string): string {
  return blankWhere(text, (open) => open.some(isCode))
}

/** Replaces quotes and code, where mentions notify no one, with the same number of spaces. */
export function blankQuotesAndCode(text: string): string {
  return blankWhere(text, (open, depth) => depth > 0 || open.some(({ info }) => !SPOILER.test(info)))
}

function blankWhere(text: string, isBlank: (open: readonly Fence[], depth: number) => boolean): string {
  let open: Fence[] = []
  let isAfterGap = true
  let isInList = false
  const lines = text.split('\n').map((line) => {
    const depth = quoteDepthOf(line)
    open = open.filter((fence) => fence.depth <= depth)
    const fence = fenceOf(line, depth)
    const innermost = open.at(-1)
    const isClosing = fence !== undefined && innermost !== undefined && closesFence(fence, innermost)
    const isOpening = fence !== undefined && !isClosing && !(innermost !== undefined && isCode(innermost))
    if (isClosing) open.pop()
    else if (isOpening) open.push(fence)
    const isEmpty = line.trim() === ''
    const isIndented = INDENTED_LINE.test(line)
    if (!isEmpty && !isIndented) isInList = LIST_ITEM.test(line)
    const isIndentedCode = isIndented && isAfterGap && !isInList
    isAfterGap = isEmpty || isIndentedCode
    if (isIndentedCode || isBlank(open, depth)) return blankOut(line)
    // Only the fence, because a mention in a spoiler's header counts.
    return isClosing || isOpening ? line.replace(fence.sign, blankOut) : line
  })
  return lines.join('\n').replaceAll(INLINE_CODE, blankOut)
}

function quoteDepthOf(line: string): number {
  const [start = ''] = /^[\s>]*/.exec(line) ?? []
  return start.replaceAll(/\s/g, '').length
}

function fenceOf(line: string, depth: number): Fence | undefined {
  const [, sign, info = ''] = FENCE.exec(line) ?? []
  return sign === undefined ? undefined : { sign, info: info.trim(), depth }
}

function isCode({ info }: Fence): boolean {
  return !MARKDOWN_BLOCK.test(info)
}

/** Code ends at a fence at least as long as its opening fence; a Markdown block, at a fence of the same length. */
function closesFence({ sign, info, depth }: Fence, open: Fence): boolean {
  if (info !== '' || depth !== open.depth || sign[0] !== open.sign[0]) return false
  return isCode(open) ? sign.length >= open.sign.length : sign.length === open.sign.length
}

function blankOut(part: string): string {
  return part.replaceAll(/[^\n]/g, ' ')
}
