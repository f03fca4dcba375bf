interface OpenFence {
  readonly fence: string
  /** Whether the block shows its text as typed. Quotes and spoilers also use fences, but contain ordinary text. */
  readonly isCode: boolean
}

const FENCE = /^[\s>]*(?:[*+-] )?(`{3,}(?=[^`]*$)|~{3,})(.*)$/

/** Returns the blocks that are open at the end of the text, outermost first. */
function openFencesIn(text: string): readonly OpenFence[] {
  const open: OpenFence[] = []
  for (const line of text.split('\n')) {
    const [, fence, info = ''] = FENCE.exec(line) ?? []
    if (fence === undefined) continue
    const { fence: last, isCode = false } = open.at(-1) ?? {}
    if (last !== undefined && info.trim() === '' && fence.startsWith(last)) open.pop()
    else if (!isCode) open.push({ fence, isCode: !/^\s*(quote|spoiler)\b/.test(info) })
  }
  return open
}

export function isInFence(text: string, caret: number): boolean {
  const before = text.slice(0, caret)
  return openFencesIn(before.slice(0, before.lastIndexOf('\n') + 1)).at(-1)?.isCode === true
}
