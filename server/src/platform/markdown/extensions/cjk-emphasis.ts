import type { MarkdownIt } from 'markdown-it'

/** Marks of emphasis that may touch a Chinese, Japanese, or Korean character; all of these lie above. */
const MAY_TOUCH = /[\u1100-\uffff]/

let loading: Promise<void> | undefined
let isLoaded = false

/**
 * Lets emphasis touch full-width punctuation: `**标签：**正文`. Texts without characters of such a script are read the same
 * with it and without it, so it is loaded with the first text that has some.
 */
export function prepareCjkEmphasis(source: string, md: MarkdownIt): Promise<void> | undefined {
  if (isLoaded || !(source.includes('*') || source.includes('~~')) || !MAY_TOUCH.test(source)) return undefined
  loading ??= load(md).catch((error: unknown) => {
    // A browser without a connection asks again with the next such text.
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
