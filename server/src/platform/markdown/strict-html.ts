export interface Element {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly parents: readonly string[]
}

export class InvalidStrictHtmlError extends Error {}

const VOID_TAGS = new Set(['br', 'hr', 'img'])
const SELF_CLOSING_TAGS = new Set(['path', 'line', 'mspace', 'mglyph'])
const TAG = /^<(\/?)([a-z][a-z0-9]*)((?: [A-Za-z-]+="[^"<>]*")*)(\/?)>/
const ATTRIBUTE = / ([A-Za-z-]+)="([^"]*)"/g
const TEXT = /^[^<>]+/
const REFERENCE = /&(?:amp|lt|gt|quot|#x27);/g

/** @throws InvalidStrictHtmlError for anything but tags, double-quoted attributes, known references, and plain text */
export function parseStrictHtml(html: string): Element[] {
  const elements: Element[] = []
  const open: string[] = []
  let rest = html
  while (rest !== '') {
    const text = TEXT.exec(rest)?.[0]
    if (text !== undefined) {
      if (text.replace(REFERENCE, '').includes('&')) throw new InvalidStrictHtmlError(`a bare & in: ${text}`)
      rest = rest.slice(text.length)
      continue
    }
    const [whole, slash, tag = '', attributes = '', selfClosed] = TAG.exec(rest) ?? []
    if (whole === undefined) throw new InvalidStrictHtmlError(`neither text nor a tag: ${rest.slice(0, 60)}`)
    rest = rest.slice(whole.length)
    if (slash === '/') {
      if (open.pop() !== tag) throw new InvalidStrictHtmlError(`</${tag}> closes a different element`)
      continue
    }
    elements.push({ tag, attributes: readAttributes(attributes), parents: [...open] })
    if (selfClosed === '/' && !SELF_CLOSING_TAGS.has(tag)) throw new InvalidStrictHtmlError(`<${tag}/>`)
    if (!VOID_TAGS.has(tag) && selfClosed !== '/') open.push(tag)
  }
  if (open.length > 0) throw new InvalidStrictHtmlError(`left open: ${open.join(' ')}`)
  return elements
}

function readAttributes(source: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', value = ''] of source.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new InvalidStrictHtmlError(`duplicate attribute ${name}`)
    if (value.replace(REFERENCE, '').includes('&')) throw new InvalidStrictHtmlError(`a bare & in ${name}`)
    attributes.set(name, unescapeReferences(value))
  }
  return attributes
}

function unescapeReferences(value: string): string {
  return value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}
