const WHITELIST: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  p: {},
  br: {},
  hr: {},
  h1: {},
  h2: {},
  h3: {},
  h4: {},
  h5: {},
  h6: {},
  em: {},
  strong: {},
  del: {},
  code: {},
  pre: {},
  blockquote: {},
  ul: {},
  ol: { start: /^\d{1,9}$/ },
  li: {},
  table: {},
  thead: {},
  tbody: {},
  tr: {},
  th: { style: /^text-align: (left|center|right);$/ },
  td: { style: /^text-align: (left|center|right);$/ },
  a: {
    href: /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i,
    title: /^/,
    class: /^(stream|stream-topic|message-link)$/,
    'data-stream-id': /^\d+$/,
  },
  img: {
    src: /^\/(user_uploads|user_avatars)\//,
    alt: /^:/,
    class: /^emoji$/,
    title: /^/,
    'data-original-dimensions': /^\d+x\d+$/,
    'data-original-content-type': /^image\/[a-z]+$/,
    'data-animated': /^true$/,
  },
  video: { src: /^\/user_uploads\//, preload: /^metadata$/ },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
  div: {
    class: /^(codehilite|spoiler-block|spoiler-header|spoiler-content|message_inline_image( message_inline_video)?)$/,
    'data-code-language': /^\S+/,
    'aria-hidden': /^true$/,
  },
  span: {
    class:
      /^([a-z][a-z0-9]?|user-mention( channel-wildcard-mention)?( silent)?|user-group-mention( silent)?|topic-mention( silent)?|emoji emoji-[0-9a-f-]+|timestamp-error|tex-error)$/,
    'data-user-id': /^(\d+|\*)$/,
    'data-user-group-id': /^\d+$/,
    'aria-label': /^/,
    role: /^img$/,
    title: /^/,
  },
}

/** Elements allowed in formulas. They include no resources, links, or scripts. */
const FORMULA_TAGS = new Set(
  (
    'span math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover ' +
    'munderover mtable mtr mtd mlabeledtr mpadded mphantom mstyle menclose merror svg path line g mglyph'
  ).split(' '),
)
const FORMULA_STYLE_PATTERN = /^(?:[a-z-]+:[-+.%#a-zA-Z0-9]+;)+$/
const FORBIDDEN_IN_FORMULAS_PATTERN = /^(?:on|href$|src$|xlink|id$)/i

/** Whether HTML from another source is harmless: the renderer could have written it. */
export function couldRendererWrite(html: string): boolean {
  try {
    assertOnlyWhitelisted(html)
    return true
  } catch (error) {
    if (error instanceof InvalidStrictHtmlError) return false
    throw error
  }
}

/** @throws InvalidStrictHtmlError unless the renderer can write the HTML */
export function assertOnlyWhitelisted(html: string): void {
  let formulaDepth = 0
  for (const element of parseStrictHtml(html)) {
    if (formulaDepth > 0 && element.parents.length >= formulaDepth) checkFormula(element)
    else if (isFormula(element)) formulaDepth = element.parents.length + 1
    else {
      formulaDepth = 0
      checkElement(element)
    }
  }
}

function isFormula({ tag, attributes }: Element): boolean {
  return tag === 'span' && /^katex(-display)?$/.test(attributes.get('class') ?? '') && attributes.size === 1
}

function checkElement({ tag, attributes, parents }: Element): void {
  const allowed = WHITELIST[tag]
  if (!allowed) throw new InvalidStrictHtmlError(`<${tag}>`)
  if (tag === 'a' && parents.includes('a')) throw new InvalidStrictHtmlError('a link inside a link')
  for (const [name, value] of attributes) {
    if (!allowed[name]?.test(value)) throw new InvalidStrictHtmlError(`<${tag} ${name}="${value}">`)
  }
}

function checkFormula({ tag, attributes }: Element): void {
  if (!FORMULA_TAGS.has(tag)) throw new InvalidStrictHtmlError(`<${tag}> in a formula`)
  for (const [name, value] of attributes) {
    if (FORBIDDEN_IN_FORMULAS_PATTERN.test(name)) throw new InvalidStrictHtmlError(`${name} in a formula`)
    if (name === 'style' && !FORMULA_STYLE_PATTERN.test(value))
      throw new InvalidStrictHtmlError(`style="${value}" in a formula`)
  }
}

export interface Element {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly parents: readonly string[]
}

class InvalidStrictHtmlError extends Error {}

const VOID_TAGS = new Set(['br', 'hr', 'img'])
const SELF_CLOSING_TAGS = new Set(['path', 'line', 'mspace', 'mglyph'])
const TAG_PATTERN = /^<(\/?)([a-z][a-z0-9]*)((?: [A-Za-z-]+="[^"<>]*")*)(\/?)>/
const ATTRIBUTE_PATTERN = / ([A-Za-z-]+)="([^"]*)"/g
const TEXT_PATTERN = /^[^<>]+/
const REFERENCE_PATTERN = /&(?:amp|lt|gt|quot|#x27);/g

/** @throws InvalidStrictHtmlError for anything but tags, double-quoted attributes, known references, and plain text */
export function parseStrictHtml(html: string): Element[] {
  const elements: Element[] = []
  const open: string[] = []
  let rest = html
  while (rest !== '') {
    const text = TEXT_PATTERN.exec(rest)?.[0]
    if (text !== undefined) {
      if (text.replace(REFERENCE_PATTERN, '').includes('&')) throw new InvalidStrictHtmlError(`a bare & in: ${text}`)
      rest = rest.slice(text.length)
      continue
    }
    const [whole, slash, tag = '', attributes = '', selfClosed] = TAG_PATTERN.exec(rest) ?? []
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
  for (const [, name = '', value = ''] of source.matchAll(ATTRIBUTE_PATTERN)) {
    if (attributes.has(name)) throw new InvalidStrictHtmlError(`duplicate attribute ${name}`)
    if (value.replace(REFERENCE_PATTERN, '').includes('&')) throw new InvalidStrictHtmlError(`a bare & in ${name}`)
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
