export type MarkupNode = string | MarkupElement

export interface MarkupElement {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly MarkupNode[]
}

const VOID_ELEMENTS = new Set(['br', 'hr', 'img', 'input', 'wbr', 'col', 'source'])
/** Safe for the renderer's HTML, which escapes angle brackets and double quotes in text and attributes. */
const TAG_PATTERN = /<(\/?)([a-z][a-z\d-]*)((?:[\s/](?:"[^"<>]*"|[^"<>])*)?)>/gi
const ATTRIBUTE_PATTERN = /([a-z][\w:-]*)(?:="([^"]*)")?/gi
const CHARACTER_BY_ENTITY: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

interface OpenElement {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: MarkupNode[]
}

/** Parses HTML of the message renderer. Other input becomes text or is dropped; results are always escaped again. */
export function parseMarkup(html: string): readonly MarkupNode[] {
  const root: OpenElement = { tag: '', attributes: new Map(), children: [] }
  const open: OpenElement[] = [root]
  let end = 0
  for (const match of html.matchAll(TAG_PATTERN)) {
    addText(open, html.slice(end, match.index))
    end = match.index + match[0].length
    const [, slash, name = '', rest = ''] = match
    const tag = name.toLowerCase()
    if (slash === '/') endElement(open, tag)
    else beginElement(open, tag, rest)
  }
  addText(open, html.slice(end))
  return root.children
}

function addText(open: readonly OpenElement[], text: string): void {
  if (text !== '') open.at(-1)?.children.push(unescapeReferences(text))
}

function beginElement(open: OpenElement[], tag: string, rest: string): void {
  const attributes = new Map(
    [...rest.matchAll(ATTRIBUTE_PATTERN)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      unescapeReferences(value),
    ]),
  )
  const element = { tag, attributes, children: [] }
  open.at(-1)?.children.push(element)
  if (!VOID_ELEMENTS.has(tag) && !rest.endsWith('/')) open.push(element)
}

function endElement(open: OpenElement[], tag: string): void {
  const index = open.findLastIndex((element) => element.tag === tag)
  if (index > 0) open.splice(index)
}

function unescapeReferences(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
    (written, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return CHARACTER_BY_ENTITY[name.toLowerCase()] ?? written
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : written
    },
  )
}

export function textContentOf(node: MarkupNode): string {
  return typeof node === 'string' ? node : node.children.map(textContentOf).join('')
}

export function findElement(node: MarkupElement, is: (node: MarkupElement) => boolean): MarkupElement | undefined {
  if (is(node)) return node
  for (const child of node.children) {
    const found = typeof child === 'string' ? undefined : findElement(child, is)
    if (found !== undefined) return found
  }
  return undefined
}
