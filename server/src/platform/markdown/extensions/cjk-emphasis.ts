import type { MarkdownIt } from 'markdown-it'
import { characterAt, characterBefore, isFromSpacelessScript } from '../../../kernel/words.ts'

const MAY_NEED_RULES_PATTERN = /[\u0e00-\uffff]/

let loading: Promise<void> | undefined
let isLoaded = false

/** Lets emphasis touch punctuation beside scripts without spaces: `**标签：**正文`. */
export function prepareCjkEmphasis(source: string, md: MarkdownIt): Promise<void> | undefined {
  if (isLoaded || !(source.includes('*') || source.includes('~~')) || !MAY_NEED_RULES_PATTERN.test(source))
    return undefined
  loading ??= loadCjkRules(md).catch((error: unknown) => {
    // Lets the next text that needs the rules load them again: a browser may have been offline.
    loading = undefined
    throw error
  })
  return loading
}

async function loadCjkRules(md: MarkdownIt): Promise<void> {
  const { default: cjkFriendly } = await import('markdown-it-cjk-friendly')
  md.use(cjkFriendly)
  md.use(allowBesideOtherScripts)
  isLoaded = true
}

/** Lets emphasis touch Thai, Lao, Khmer, or Burmese, where invisible spaces can separate words: `ที่**(สำคัญ)**มาก`. */
function allowBesideOtherScripts(md: MarkdownIt): void {
  md.inline.State = class extends md.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const run = super.scanDelims(start, canSplitWord)
      const end = start + run.length
      const sides = [characterBefore(this.src, start), end < this.posMax ? characterAt(this.src, end) : '']
      const isWithin = canSplitWord && sides.every((side) => /\S/.test(side))
      const touches = isWithin && sides.some((side) => side === '\u200B' || isFromSpacelessScript(side))
      return touches ? { ...run, can_open: true, can_close: true } : run
    }
  }
}
