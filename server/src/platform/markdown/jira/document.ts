import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import {
  codeBlock,
  inlineCode,
  joinWithCodeSpace,
  linkLabel,
  escapeLiteral,
  escapeLiteralWithLinks,
  writeMention,
  quoteMarkdown,
  styleMarkdown,
  markdownTable,
  escapeBlockStarts,
  type FindName,
} from './pieces.ts'

const text = z.catch(z.optional(string), undefined)
const members = z.catch(z.optional(z.array(z.unknown())), undefined)
const fields = z.object({
  text,
  url: text,
  href: text,
  id: text,
  language: text,
  shortName: text,
  title: text,
  alt: text,
  state: text,
  timestamp: text,
  level: z.catch(z.optional(z.number()), undefined),
})
const attributes = z.catch(z.optional(fields), undefined)
const mark = z.object({ type: string, attrs: attributes })
const node = z.object({ type: string, text, attrs: attributes, marks: members, content: members })
type Node = z.output<typeof node>

export function documentToMarkdown(document: unknown, nameOf: FindName = () => undefined): string {
  const root = node.safeParse(document)
  return root.success ? renderContent(root.data, nameOf) : ''
}

const INLINE_TYPES = new Set([
  'text',
  'hardBreak',
  'mention',
  'emoji',
  'inlineCard',
  'date',
  'status',
  'mediaInline',
  'inlineExtension',
  'placeholder',
])

/** Returns a node's lines or blocks; no node contains both. */
function renderContent(of: Node, nameOf: FindName, between = '\n\n'): string {
  const children = parseChildren(of)
  if (children.some(({ type }) => INLINE_TYPES.has(type))) return renderInlineNodes(children, nameOf)
  return children
    .map((child) => renderBlock(child, nameOf))
    .filter((block) => block !== '')
    .join(between)
}

function parseChildren({ content = [] }: Node): Node[] {
  return content.flatMap((one) => {
    const child = node.safeParse(one)
    return child.success ? [child.data] : []
  })
}

function renderBlock(of: Node, nameOf: FindName): string {
  const { type, attrs } = of
  switch (type) {
    case 'heading': {
      const level = Math.min(6, Math.max(1, Math.trunc(attrs?.level ?? 1)))
      return `${'#'.repeat(level)} ${renderContent(of, nameOf).replaceAll('\n', ' ')}`
    }
    case 'bulletList':
    case 'decisionList':
    case 'taskList':
      return renderList(of, '* ', nameOf)
    case 'orderedList':
      return renderList(of, '1. ', nameOf)
    case 'codeBlock':
      return codeBlock(
        parseChildren(of)
          .map((child) => child.text ?? '')
          .join(''),
        attrs?.language,
      )
    case 'blockquote':
    case 'panel': {
      const content = renderContent(of, nameOf)
      return content === '' ? '' : quoteMarkdown(content)
    }
    case 'rule':
      return '---'
    case 'media':
      return renderMedia(of)
    case 'table':
      return renderTable(of, nameOf)
    case 'blockCard':
    case 'embedCard':
      return escapeLiteralWithLinks(attrs?.url ?? '')
    case 'expand':
    case 'nestedExpand':
      return [styleMarkdown('**', escapeLiteral(attrs?.title ?? '')), renderContent(of, nameOf)]
        .filter((part) => part !== '')
        .join('\n\n')
    default:
      return INLINE_TYPES.has(type) ? renderInlineNodes([of], nameOf) : renderContent(of, nameOf)
  }
}

function renderMedia({ attrs }: Node): string {
  if (attrs?.url !== undefined) return linkLabel(escapeLiteral(attrs.alt ?? 'Picture'), attrs.url)
  return inlineCode(attrs?.alt ?? '') || escapeLiteral('(a file)')
}

const TASK_TYPES = new Set(['taskItem', 'blockTaskItem'])

function renderList(of: Node, sign: string, nameOf: FindName): string {
  return parseChildren(of)
    .map((item) => {
      if (item.type === of.type) return renderList(item, sign, nameOf).replace(/^/gm, ' '.repeat(sign.length))
      const box = TASK_TYPES.has(item.type) ? (item.attrs?.state === 'DONE' ? '☑ ' : '☐ ') : ''
      const content = `${box}${renderContent(item, nameOf, '\n')}`
      return `${sign}${content.replaceAll('\n', `\n${' '.repeat(sign.length)}`)}`
    })
    .join('\n')
}

function renderTable(of: Node, nameOf: FindName): string {
  const rows = parseChildren(of).map(parseChildren)
  const hasNames = rows[0]?.every(({ type }) => type === 'tableHeader') ?? false
  return rows.length === 0
    ? ''
    : markdownTable(
        rows.map((cells) => cells.map((cell) => renderContent(cell, nameOf, ' '))),
        hasNames,
      )
}

function renderInlineNodes(pieces: readonly Node[], nameOf: FindName): string {
  const markdown = pieces.map((piece, index) =>
    renderInlineNode(piece, nameOf, pieces[index - 1]?.text?.slice(-1), pieces[index + 1]?.text?.charAt(0)),
  )
  return escapeBlockStarts(markdown.reduce(joinWithCodeSpace, ''))
}

function renderInlineNode(of: Node, nameOf: FindName, before?: string, after?: string): string {
  const { type, attrs } = of
  switch (type) {
    case 'text':
      return renderMarkedText(of, before, after)
    case 'hardBreak':
      return '\n'
    case 'mention':
      return attrs?.id !== undefined && nameOf(attrs.id) !== undefined
        ? writeMention(attrs.id, nameOf)
        : escapeLiteral(attrs?.text ?? '@somebody')
    case 'emoji':
      return escapeLiteral(attrs?.text ?? attrs?.shortName ?? '')
    case 'inlineCard':
      return escapeLiteralWithLinks(attrs?.url ?? '')
    case 'date':
      return formatDay(Number(attrs?.timestamp))
    case 'mediaInline':
      return renderMedia(of)
    case 'status':
    case 'inlineExtension':
      return inlineCode(attrs?.text ?? '')
    case 'placeholder':
      return escapeLiteral(attrs?.text ?? '')
    default:
      return renderInlineNodes(parseChildren(of), nameOf).replaceAll('\n', ' ')
  }
}

function formatDay(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/T.*/, '')
}

const MARKDOWN_BY_MARK: Readonly<Record<string, string>> = { strong: '**', em: '*', strike: '~~' }

function renderMarkedText({ text: words = '', marks = [] }: Node, before?: string, after?: string): string {
  const known = marks.flatMap((one) => {
    const checked = mark.safeParse(one)
    return checked.success ? [checked.data] : []
  })
  const address = known.find(({ type }) => type === 'link')?.attrs?.href
  const isCode = known.some(({ type }) => type === 'code')
  const plain = isCode
    ? inlineCode(words)
    : address === undefined
      ? escapeLiteralWithLinks(words)
      : escapeLiteral(words)
  const shown = address === undefined ? plain : linkLabel(plain, address)
  const signs = Object.entries(MARKDOWN_BY_MARK).map(([type, sign]) =>
    known.some((one) => one.type === type) ? sign : '',
  )
  return styleMarkdown(signs.join(''), shown, before, after)
}
