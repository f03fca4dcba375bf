import type { MarkdownIt, StateCore } from 'markdown-it'
import { jobOf } from '../job.ts'
import { readNarrowUrl } from '../narrow.ts'
import { TARGET_LINK, targetLink } from '../target-link.ts'

/** Shows a pasted URL like a link inserted by the app. */
export function messageLinks(md: MarkdownIt): void {
  md.core.ruler.after('own_links', 'message_links', nameMessageLinks)
}

function nameMessageLinks(state: StateCore): void {
  const { context } = jobOf(state.env)
  for (const block of state.tokens) {
    const children = block.children ?? []
    for (let index = 0; index < children.length; index++) {
      const open = children[index]
      if (open?.type !== 'link_open' || open.info !== 'auto') continue
      const href = String(open.attrGet('href'))
      const target = readNarrowUrl(href)
      const link = target && targetLink(target, context, href)
      if (!link) continue
      const token = new state.Token(TARGET_LINK, '', 0)
      token.meta = { ...link }
      children.splice(index, 3, token)
    }
  }
}
