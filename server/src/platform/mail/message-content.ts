import { escapeHtml } from '../markdown/escape.ts'
import { findEmojiInClasses, formatTimeElement, type TimeFormat } from '../html/text.ts'
import { findElement, parseMarkup, textContentOf, type MarkupElement, type MarkupNode } from '../html/markup.ts'

export interface MailContent {
  readonly text: string
  readonly html: string
}

export interface ContentReader extends TimeFormat {
  readonly url: string
  readonly hiddenWords: string
}

/** Inline styles: email programs support no classes. Some ignore translucent colors, so these are only decorative. */
const STYLE_BY_TAG: Readonly<Record<string, string>> = {
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

/** Removes classes, scripts, and external resources. Unknown elements are reduced to their text. */
export function mailContent(renderedContent: string, reader: ContentReader): MailContent {
  const nodes = parseMarkup(renderedContent).flatMap((node) => simplifyNode(node, reader))
  return { html: nodes.map(toHtml).join('').trim(), text: toTextLines(nodes).join('\n').trim() }
}

function simplifyNode(node: MarkupNode, reader: ContentReader): readonly MarkupNode[] {
  if (typeof node === 'string') return [node]
  const { tag, attributes } = node
  const classes = (attributes.get('class') ?? '').split(' ')
  // Removes previews of links that are in the text.
  if (classes.includes('message_inline_image') || classes.includes('message_embed')) return []
  if (classes.includes('katex')) return [convertFormula(node)]
  if (classes.includes('spoiler-content')) return [createElement('p', [createElement('em', [reader.hiddenWords])])]
  if (classes.includes('emoji')) return [convertEmoji(node, classes)]
  if (tag === 'img') return [attributes.get('alt') ?? '']
  if (tag === 'time') return [formatTimeElement(attributes.get('datetime') ?? '', reader) ?? textContentOf(node)]
  const children = node.children.flatMap((child) => simplifyNode(child, reader))
  if (classes.includes('user-mention') || classes.includes('user-group-mention'))
    return [createElement('strong', children)]
  if (tag === 'a') return convertLink(attributes.get('href') ?? '', children, reader)
  // `pre` already has the style of the `code` inside it.
  if (tag === 'pre') return [createElement('pre', [textContentOf(createElement('', children))])]
  if (/^h[1-6]$/.test(tag)) return [createElement('p', [createElement('strong', children)])]
  return Object.hasOwn(STYLE_BY_TAG, tag) ? [createElement(tag, children)] : children
}

function createElement(tag: string, children: readonly MarkupNode[], href?: string): MarkupElement {
  return { tag, attributes: new Map(href === undefined ? [] : [['href', href]]), children }
}

function convertFormula(node: MarkupElement): MarkupNode {
  const written = findElement(node, ({ tag }) => tag === 'annotation')
  return createElement('code', [written === undefined ? '' : textContentOf(written)])
}

function convertEmoji(node: MarkupElement, classes: readonly string[]): MarkupNode {
  return findEmojiInClasses(classes) ?? node.attributes.get('alt') ?? textContentOf(node)
}

function convertLink(href: string, children: readonly MarkupNode[], { url }: ContentReader): readonly MarkupNode[] {
  const address = href.startsWith('#') ? `/${href}` : href
  const base = `${url}/`
  if (!URL.canParse(address, base)) return children
  const target = new URL(address, base)
  return ['http:', 'https:', 'mailto:'].includes(target.protocol)
    ? [createElement('a', children, target.href)]
    : children
}

function toHtml(node: MarkupNode): string {
  if (typeof node === 'string') return escapeHtml(node)
  const { tag, attributes, children } = node
  const href = attributes.get('href')
  const style = STYLE_BY_TAG[tag] ?? ''
  const link = href === undefined ? '' : ` href="${escapeHtml(href)}"`
  const start = `<${tag}${link}${style === '' ? '' : ` style="${style}"`}>`
  return tag === 'br' || tag === 'hr' ? start : `${start}${children.map(toHtml).join('')}</${tag}>`
}

const BLOCK_TAGS = new Set(['p', 'pre', 'blockquote', 'ul', 'ol', 'table', 'hr'])

function toTextLines(nodes: readonly MarkupNode[]): string[] {
  const blocks: string[][] = []
  let words = ''
  const endWords = (): void => {
    const lines = words.trim().split('\n')
    if (words.trim() !== '') blocks.push(lines.map((line) => line.trim()))
    words = ''
  }
  for (const node of nodes) {
    if (typeof node === 'string' || !BLOCK_TAGS.has(node.tag)) words += inlineText(node)
    else {
      endWords()
      blocks.push(linesOfBlock(node))
    }
  }
  endWords()
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function linesOfBlock({ tag, children }: MarkupElement): string[] {
  switch (tag) {
    case 'pre':
      return children.map(textContentOf).join('').trimEnd().split('\n')
    case 'blockquote':
      return toTextLines(children).map((line) => `> ${line}`.trimEnd())
    case 'ul':
    case 'ol':
      return elementsIn(children, 'li').flatMap((item, index) =>
        itemLines(item, tag === 'ul' ? '- ' : `${index + 1}. `),
      )
    case 'table':
      return rowsIn(children).map((row) =>
        row.children
          .filter((cell) => typeof cell !== 'string')
          .map((cell) => inlineText(cell).trim())
          .join(' | '),
      )
    case 'hr':
      return ['----']
    default:
      return toTextLines(children)
  }
}

function itemLines({ children }: MarkupElement, sign: string): string[] {
  const [first = '', ...others] = toTextLines(children)
  return [sign + first, ...others.map((line) => (line === '' ? '' : ' '.repeat(sign.length) + line))]
}

function elementsIn(nodes: readonly MarkupNode[], tag: string): MarkupElement[] {
  return nodes.flatMap((node) => (typeof node !== 'string' && node.tag === tag ? [node] : []))
}

function rowsIn(nodes: readonly MarkupNode[]): MarkupElement[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    return node.tag === 'tr' ? [node] : rowsIn(node.children)
  })
}

function inlineText(node: MarkupNode): string {
  if (typeof node === 'string') return node.replaceAll('\n', ' ')
  if (node.tag === 'br') return '\n'
  const words = node.children.map(inlineText).join('')
  const href = node.attributes.get('href')
  if (href === undefined || href === words || href === `mailto:${words}`) return words
  return words.trim() === '' ? href : `${words} (${href})`
}
