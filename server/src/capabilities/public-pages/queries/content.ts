import {
  findElement,
  parseMarkup,
  textContentOf,
  type MarkupElement,
  type MarkupNode,
} from '../../../platform/html/markup.ts'
import { findEmojiInClasses, formatTimeElement, markupToText } from '../../../platform/html/text.ts'
import { html, type Html } from '../../../platform/pages/html.ts'
import { escapeHtml } from '../../../platform/markdown/escape.ts'

const KEPT_TAGS = new Set('p br hr em strong del code blockquote ul ol li thead tbody tr th td'.split(' '))
const VOID_TAGS = new Set(['br', 'hr'])
const FILE_PATH_PATTERN = /^\/(?:user_uploads|user_avatars|external_content)\//
/** Most messages are one paragraph without anything to remove or unescape. */
const PLAIN_PARAGRAPH_PATTERN = /^<p>([^<>&"'\n]*)<\/p>$/
const MAX_IMAGE_PIXELS = 840

export interface PublicContent {
  readonly html: Html
  readonly text: string
}

/** Keeps only known elements, without styles, classes, and external resources. Unknown elements become their text. */
export function publicContent(renderedContent: string, language: string): PublicContent {
  const plain = PLAIN_PARAGRAPH_PATTERN.exec(renderedContent)?.[1]
  if (plain !== undefined) return { html: { markup: renderedContent }, text: plain.replaceAll(/\s+/g, ' ').trim() }
  const nodes = parseMarkup(renderedContent)
  return {
    html: { markup: nodes.map((node) => toMarkup(node, language)).join('') },
    text: markupToText(nodes, { language, timeZone: '', uses24Hours: false }),
  }
}

function toMarkup(node: MarkupNode, language: string): string {
  if (typeof node === 'string') return escapeHtml(node)
  const { tag, attributes, children } = node
  const classes = (attributes.get('class') ?? '').split(' ')
  const inside = (): Html => ({ markup: children.map((child) => toMarkup(child, language)).join('') })
  // The link is in the text, and its preview is made with styles.
  if (classes.includes('message_embed')) return ''
  if (classes.includes('katex')) return formulaMarkup(node)
  if (classes.includes('emoji')) return emojiMarkup(node, classes)
  if (classes.includes('spoiler-block')) return `<details>${inside().markup}</details>`
  if (classes.includes('spoiler-header')) return html`<summary>${inside()}</summary>`.markup
  if (classes.includes('user-mention') || classes.includes('user-group-mention'))
    return html`<strong>${inside()}</strong>`.markup
  if (/^h[1-6]$/.test(tag)) return html`<p><strong>${inside()}</strong></p>`.markup
  switch (tag) {
    case 'a':
      return linkMarkup(attributes.get('href') ?? '', inside())
    case 'img':
      return imageMarkup(node)
    case 'video':
    case 'audio':
      return mediaMarkup(tag, attributes.get('src') ?? '')
    case 'time':
      return timeMarkup(node, language)
    case 'pre':
      // Focusable, because the keyboard could not scroll long lines otherwise.
      return html`<pre tabindex="0">${inside()}</pre>`.markup
    case 'table':
      return html`<div class="scroll" tabindex="0">
        <table>
          ${inside()}
        </table>
      </div>`.markup
    default:
      break
  }
  if (!KEPT_TAGS.has(tag)) return inside().markup
  return VOID_TAGS.has(tag) ? `<${tag}>` : `<${tag}>${inside().markup}</${tag}>`
}

function formulaMarkup(node: MarkupElement): string {
  const written = findElement(node, ({ tag }) => tag === 'annotation')
  return html`<code>${written === undefined ? '' : textContentOf(written)}</code>`.markup
}

function emojiMarkup(node: MarkupElement, classes: readonly string[]): string {
  const name = node.attributes.get('alt') ?? textContentOf(node)
  const src = node.attributes.get('src') ?? ''
  if (node.tag === 'img' && FILE_PATH_PATTERN.test(src))
    return html`<img class="emoji" src="${src}" alt="${name}" width="20" height="20" />`.markup
  return escapeHtml(findEmojiInClasses(classes) ?? name)
}

/** Search engines do not count links that people write. */
function linkMarkup(href: string, inside: Html): string {
  const address = href.startsWith('#') ? `/${href}` : href
  const isKept = /^(?:https?:|mailto:|tel:|\/(?!\/))/i.test(address) && URL.canParse(address, 'https://parley.invalid')
  return isKept ? html`<a href="${address}" rel="nofollow ugc">${inside}</a>`.markup : inside.markup
}

function imageMarkup({ attributes }: MarkupElement): string {
  const src = attributes.get('src') ?? ''
  if (!FILE_PATH_PATTERN.test(src)) return escapeHtml(attributes.get('alt') ?? '')
  const [, width, height] = /^(\d+)x(\d+)$/.exec(attributes.get('data-original-dimensions') ?? '') ?? []
  const scale = Math.min(1, MAX_IMAGE_PIXELS / Math.max(1, Number(width)))
  const size =
    width === undefined || height === undefined
      ? html``
      : html`width="${Math.round(Number(width) * scale)}" height="${Math.round(Number(height) * scale)}"`
  return html`<img src="${src}" alt="${attributes.get('alt') ?? ''}" loading="lazy" ${size} />`.markup
}

function mediaMarkup(tag: 'video' | 'audio', src: string): string {
  return FILE_PATH_PATTERN.test(src) ? `<${tag} src="${escapeHtml(src)}" controls preload="none"></${tag}>` : ''
}

function timeMarkup(node: MarkupElement, language: string): string {
  const datetime = node.attributes.get('datetime') ?? ''
  const shown = formatTimeElement(datetime, { language, timeZone: '', uses24Hours: false })
  return shown === undefined
    ? escapeHtml(textContentOf(node))
    : html`<time datetime="${datetime}">${shown}</time>`.markup
}
