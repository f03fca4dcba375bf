import MarkdownItParser from 'markdown-it'
import type { MarkdownIt } from 'markdown-it'
import { channelLinks, messageLinks } from './extensions/channel-links.ts'
import { codeBlocks } from './extensions/code-blocks.ts'
import { emoji } from './extensions/emoji.ts'
import { images } from './extensions/images.ts'
import { limits } from './extensions/limits.ts'
import { linkifiers } from './extensions/linkifiers.ts'
import { bareLinks, links } from './extensions/links.ts'
import { math } from './extensions/math.ts'
import { mentions } from './extensions/mentions.ts'
import { quotes, spoilers } from './extensions/fenced-containers.ts'
import { tables } from './extensions/tables.ts'
import { times } from './extensions/times.ts'
import { previewableLinks } from './extensions/previewable-links.ts'
import { uploads } from './extensions/uploads.ts'

/**
 * Creates a CommonMark parser in which every line break counts, without HTML, underlined headings (`text` over `---`),
 * reference definitions, and entities (`&lt;` stays as typed).
 */
export function createParser(): MarkdownIt {
  const md = new MarkdownItParser({ html: false, breaks: true })
  md.disable(['lheading', 'reference', 'entity', 'html_block', 'html_inline'])
  const decoded = md.normalizeLinkText.bind(md)
  // Shows URLs as typed if decoding gives characters that cannot be stored or seen, such as `%00`.
  md.normalizeLinkText = (url) => {
    const text = decoded(url)
    return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? url : text
  }
  for (const extend of EXTENSIONS) extend(md)
  md.renderer.rules.s_open = () => '<del>'
  md.renderer.rules.s_close = () => '</del>'
  return md
}

/** Extensions in rule order. */
const EXTENSIONS: readonly ((md: MarkdownIt) => void)[] = [
  limits,
  quotes,
  spoilers,
  codeBlocks,
  math,
  tables,
  mentions,
  channelLinks,
  times,
  emoji,
  bareLinks,
  linkifiers,
  links,
  messageLinks,
  images,
  uploads,
  previewableLinks,
]
