import MarkdownItParser from 'markdown-it'
import type { MarkdownIt } from 'markdown-it'
import { channelLinksExtension, messageLinksExtension } from './extensions/channel-links.ts'
import { codeBlocksExtension } from './extensions/code-blocks.ts'
import { emojiExtension } from './extensions/emoji.ts'
import { imagesExtension, bareLinksExtension, linksExtension } from './extensions/links.ts'
import { limitsExtension } from './extensions/limits.ts'
import { linkifiersExtension } from './extensions/linkifiers.ts'
import { mathExtension } from './extensions/math.ts'
import { mentionsExtension } from './extensions/mentions.ts'
import { quotesExtension, spoilersExtension } from './extensions/fenced-containers.ts'
import { tablesExtension } from './extensions/tables.ts'
import { timesExtension } from './extensions/times.ts'
import { previewableLinksExtension } from './extensions/previewable-links.ts'
import { uploadsExtension } from './extensions/uploads.ts'

/** Creates a CommonMark parser without HTML, underlined headings, references, and entities. Keeps all line breaks. */
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

/** Extensions, in the order in which they add rules. */
const EXTENSIONS: readonly ((md: MarkdownIt) => void)[] = [
  limitsExtension,
  quotesExtension,
  spoilersExtension,
  codeBlocksExtension,
  mathExtension,
  tablesExtension,
  mentionsExtension,
  channelLinksExtension,
  timesExtension,
  emojiExtension,
  bareLinksExtension,
  linkifiersExtension,
  linksExtension,
  messageLinksExtension,
  imagesExtension,
  uploadsExtension,
  previewableLinksExtension,
]
