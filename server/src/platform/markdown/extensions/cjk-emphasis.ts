import type { MarkdownIt } from 'markdown-it'

const MAY_TOUCH = /[\u1100-\uffff]/

let loading: Promise<void> | undefined
let isLoaded = false

/** Lets emphasis touch full-width punctuation: `**标签：**正文`. */
export function prepareCjkEmphasis(source: string, md: MarkdownIt): Promise<void> | undefined {
  if (isLoaded || !(source.includes('*') || source.includes('~~')) || !MAY_TOUCH.test(source)) return undefined
  loading ??= load(md).catch((error: unknown) => {
    // Retries with the next such text, for browsers that were offline.
    loading = undefined
    throw error
  })
  return loading
}

async function load(md: MarkdownIt): Promise<void> {
  const { default: cjkFriendly } = await import('markdown-it-cjk-friendly')
  md.use(cjkFriendly)
  isLoaded = true
}
