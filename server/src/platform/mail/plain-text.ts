import { wordsOf, type MarkupElement, type MarkupNode } from '../html/markup.ts'

const BLOCKS = new Set(['p', 'pre', 'blockquote', 'ul', 'ol', 'table', 'hr'])

export function linesOf(nodes: readonly MarkupNode[]): string[] {
  const blocks: string[][] = []
  let words = ''
  const endWords = (): void => {
    const lines = words.trim().split('\n')
    if (words.trim() !== '') blocks.push(lines.map((line) => line.trim()))
    words = ''
  }
  for (const node of nodes) {
    if (typeof node === 'string' || !BLOCKS.has(node.tag)) words += inline(node)
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
      return children.map(wordsOf).join('').trimEnd().split('\n')
    case 'blockquote':
      return linesOf(children).map((line) => `> ${line}`.trimEnd())
    case 'ul':
    case 'ol':
      return elementsIn(children, 'li').flatMap((item, index) =>
        itemLines(item, tag === 'ul' ? '- ' : `${index + 1}. `),
      )
    case 'table':
      return rowsIn(children).map((row) =>
        row.children
          .filter((cell) => typeof cell !== 'string')
          .map((cell) => inline(cell).trim())
          .join(' | '),
      )
    case 'hr':
      return ['----']
    default:
      return linesOf(children)
  }
}

function itemLines({ children }: MarkupElement, sign: string): string[] {
  const [first = '', ...others] = linesOf(children)
  return [sign + first, ...others.map((line) => (line === '' ? '' : ' '.repeat(sign.length) + line))]
}

function elementsIn(nodes: readonly MarkupNode[], tag: string): MarkupElement[] {
  return nodes.filter((node) => typeof node !== 'string' && node.tag === tag) as MarkupElement[] // safe: see the filter
}

function rowsIn(nodes: readonly MarkupNode[]): MarkupElement[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    return node.tag === 'tr' ? [node] : rowsIn(node.children)
  })
}

/** Converts inline markup; line breaks become spaces, as in a browser. */
function inline(node: MarkupNode): string {
  if (typeof node === 'string') return node.replaceAll('\n', ' ')
  if (node.tag === 'br') return '\n'
  const words = node.children.map(inline).join('')
  const href = node.attributes.get('href')
  if (href === undefined || href === words || href === `mailto:${words}`) return words
  return words.trim() === '' ? href : `${words} (${href})`
}
