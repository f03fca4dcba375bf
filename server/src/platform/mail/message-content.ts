import { escapeHtml } from '../markdown/escape.ts'
import { emojiIn } from '../html/emoji.ts'
import { findElement, parseMarkup, wordsOf, type MarkupElement, type MarkupNode } from '../html/markup.ts'
import { linesOf } from './plain-text.ts'

/** The content of a message for an e-mail, in its two forms. The HTML is made here, and is safe as it is. */
export interface MailContent {
  readonly text: string
  readonly html: string
}

export interface ContentReader {
  /** The address of the organization, without a slash at its end: links of messages begin there. */
  readonly url: string
  readonly language: string
  readonly timeZone: string
  /** What stands in place of what its author hid until one asks for it. */
  readonly hiddenWords: string
}

/**
 * The elements that e-mails have, with their styles: programs for e-mail know no classes, and some no style sheets. Colors with an opacity are for what
 * may be missing: not all know them, and of a border nothing is left there.
 */
const STYLES: Readonly<Record<string, string>> = {
  p: 'margin:0 0 8px',
  br: '',
  strong: '',
  em: '',
  del: '',
  a: 'word-break:break-word',
  code: 'padding:1px 4px;border-radius:3px;background:rgba(127,127,127,.18);font:13px/1.4 ui-monospace,Consolas,monospace',
  pre: 'margin:0 0 8px;padding:8px 12px;border-radius:4px;background:rgba(127,127,127,.18);font:13px/1.4 ui-monospace,Consolas,monospace;white-space:pre-wrap;word-break:break-word',
  blockquote: 'margin:0 0 8px;padding:0 0 0 12px;border-left:3px solid #8c8c8c',
  ul: 'margin:0 0 8px;padding:0 0 0 24px',
  ol: 'margin:0 0 8px;padding:0 0 0 24px',
  li: '',
  hr: 'border:0;border-top:1px solid #8c8c8c',
  table: 'margin:0 0 8px;border-collapse:collapse',
  thead: '',
  tbody: '',
  tr: '',
  th: 'padding:4px 8px;border:1px solid #8c8c8c;text-align:left',
  td: 'padding:4px 8px;border:1px solid #8c8c8c',
}

/**
 * Turns a rendered message into what programs for e-mail show: no classes, no scripts, and nothing that is loaded from
 * anywhere. Of what it does not know it shows the words.
 */
export function mailContent(renderedContent: string, reader: ContentReader): MailContent {
  const nodes = parseMarkup(renderedContent).flatMap((node) => plainer(node, reader))
  return { html: nodes.map(markupOf).join('').trim(), text: linesOf(nodes).join('\n').trim() }
}

/** A message as elements of `STYLES` and text alone. */
function plainer(node: MarkupNode, reader: ContentReader): readonly MarkupNode[] {
  if (typeof node === 'string') return [node]
  const { tag, attributes } = node
  const classes = (attributes.get('class') ?? '').split(' ')
  // The text links what these show.
  if (classes.includes('message_inline_image') || classes.includes('message_embed')) return []
  if (classes.includes('katex')) return [formulaOf(node)]
  if (classes.includes('spoiler-content')) return [element('p', [element('em', [reader.hiddenWords])])]
  if (classes.includes('emoji')) return [emojiOf(node, classes)]
  if (tag === 'img') return [attributes.get('alt') ?? '']
  if (tag === 'time') return [timeOf(node, reader)]
  const children = node.children.flatMap((child) => plainer(child, reader))
  if (classes.includes('user-mention') || classes.includes('user-group-mention')) return [element('strong', children)]
  if (tag === 'a') return linkOf(attributes.get('href') ?? '', children, reader)
  // Without its look inside a block, which has it already.
  if (tag === 'pre') return [element('pre', [wordsOf(element('', children))])]
  if (/^h[1-6]$/.test(tag)) return [element('p', [element('strong', children)])]
  return Object.hasOwn(STYLES, tag) ? [element(tag, children)] : children
}

function element(tag: string, children: readonly MarkupNode[], href?: string): MarkupElement {
  return { tag, attributes: new Map(href === undefined ? [] : [['href', href]]), children }
}

/** A formula as it was written. */
function formulaOf(node: MarkupElement): MarkupNode {
  const written = findElement(node, ({ tag }) => tag === 'annotation')
  return element('code', [written === undefined ? '' : wordsOf(written)])
}

/** An emoji as characters; one of the organization's own by its name. */
function emojiOf(node: MarkupElement, classes: readonly string[]): MarkupNode {
  return emojiIn(classes) ?? node.attributes.get('alt') ?? wordsOf(node)
}

function timeOf(node: MarkupElement, { language, timeZone }: ContentReader): string {
  const at = Date.parse(node.attributes.get('datetime') ?? '')
  if (Number.isNaN(at)) return wordsOf(node)
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(at)
}

/** A link to an address of the web or of e-mail; of any other, its words alone. */
function linkOf(href: string, children: readonly MarkupNode[], { url }: ContentReader): readonly MarkupNode[] {
  const address = href.startsWith('#') ? `/${href}` : href
  const base = `${url}/`
  if (!URL.canParse(address, base)) return children
  const target = new URL(address, base)
  return ['http:', 'https:', 'mailto:'].includes(target.protocol) ? [element('a', children, target.href)] : children
}

function markupOf(node: MarkupNode): string {
  if (typeof node === 'string') return escapeHtml(node)
  const { tag, attributes, children } = node
  const href = attributes.get('href')
  const style = STYLES[tag] ?? ''
  const link = href === undefined ? '' : ` href="${escapeHtml(href)}"`
  const start = `<${tag}${link}${style === '' ? '' : ` style="${style}"`}>`
  return tag === 'br' || tag === 'hr' ? start : `${start}${children.map(markupOf).join('')}</${tag}>`
}
