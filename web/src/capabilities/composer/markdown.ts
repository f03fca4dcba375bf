/* Converts copied HTML to Markdown. Preserves what Parley messages contain, such as mentions and formulas. */

const MARKS: Readonly<Record<string, string>> = {
  B: '**',
  STRONG: '**',
  I: '*',
  EM: '*',
  S: '~~',
  DEL: '~~',
  STRIKE: '~~',
}
const HIDDEN = 'script, style, template, head, title, meta, noscript, button, .katex-html'
const BLOCKS =
  /^(P|DIV|SECTION|ARTICLE|HEADER|FOOTER|MAIN|UL|OL|LI|BLOCKQUOTE|PRE|TABLE|H[1-6]|HR|FIGURE|DL|DT|DD|FORM|ADDRESS)$/

export function markdownOf(content: DocumentFragment): string {
  for (const hidden of content.querySelectorAll(HIDDEN)) hidden.remove()
  return blocksOf(content).trim()
}

/** Whether the caret is in a fenced code block. Quotes and spoilers in fences contain ordinary text. */
export function isInFence(text: string, caret: number): boolean {
  const open: { readonly fence: string; readonly isPlain: boolean }[] = []
  // The line of the caret opens no block yet.
  for (const line of text.slice(0, caret).split('\n').slice(0, -1)) {
    const [, fence, info = ''] = /^[\s>]*(?:[*+-] )?(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? []
    if (fence === undefined) continue
    const { fence: last, isPlain = false } = open.at(-1) ?? {}
    if (last !== undefined && info.trim() === '' && fence.startsWith(last)) open.pop()
    else if (!isPlain) open.push({ fence, isPlain: !/^\s*(quote|spoiler)\b/.test(info) })
  }
  return open.at(-1)?.isPlain === true
}

/** @param gap separator between two blocks, and the maximum line breaks within a block other than code */
function blocksOf(parent: ParentNode & Node, gap: '\n' | '\n\n' = '\n\n'): string {
  const parts: string[] = []
  let line = ''
  const endLine = (): void => {
    if (line.trim() !== '') parts.push(withoutSigns(line.trim()).replaceAll(/\n{2,}/g, gap))
    line = ''
  }
  for (const node of parent.childNodes) {
    if (node instanceof Element && (BLOCKS.test(node.tagName) || hasBlocks(node) || isCode(node))) {
      endLine()
      const block = blockOf(node, gap)
      if (block.trim() !== '') parts.push(block)
    } else line += inlineOf(node)
  }
  endLine()
  return parts.join(gap)
}

function hasBlocks(element: Element): boolean {
  return [...element.children].some((child) => BLOCKS.test(child.tagName) || hasBlocks(child))
}

/** Some pages and editors use a styled block for each line of code instead of `pre`. */
function isCode(element: Element): boolean {
  if (element.tagName === 'PRE') return true
  const style = element.getAttribute('style') ?? ''
  const isStyled =
    /white-space:\s*(pre|break-spaces)/i.test(style) && /font-family:[^;]*(mono|consolas|menlo|courier)/i.test(style)
  return (isStyled || /^(CODE|TT|SAMP)$/.test(element.tagName)) && linesOf(element).trim().includes('\n')
}

function linesOf(parent: Node): string {
  let text = ''
  const endLine = (): void => {
    if (text !== '' && !text.endsWith('\n')) text += '\n'
  }
  for (const node of parent.childNodes) {
    if (node instanceof Text) text += node.data
    if (!(node instanceof Element)) continue
    const isBlock = BLOCKS.test(node.tagName)
    if (isBlock) endLine()
    // A block that contains only a line break is an empty line.
    text += node.tagName === 'BR' ? '\n' : linesOf(node)
    if (isBlock) endLine()
  }
  return text
}

function blockOf(element: Element, gap: '\n' | '\n\n'): string {
  const { tagName } = element
  if (isCode(element)) return fenceCode(linesOf(element), languageOf(element))
  if (/^H[1-6]$/.test(tagName)) return `${'#'.repeat(Number(tagName[1]))} ${inlinesOf(element).trim()}`
  if (tagName === 'UL' || tagName === 'OL') return listOf(element)
  if (tagName === 'BLOCKQUOTE') {
    const quoted = blocksOf(element).split('\n')
    return quoted.map((line) => `> ${line}`.trimEnd()).join('\n')
  }
  if (tagName === 'TABLE') return tableOf(element)
  if (tagName === 'HR') return '---'
  return blocksOf(element, gap)
}

function listOf(list: Element): string {
  const first = Number(list.getAttribute('start') ?? 1)
  const items = [...list.children].filter(({ tagName }) => tagName === 'LI')
  return items
    .map((item, index) => {
      const sign = list.tagName === 'OL' ? `${first + index}. ` : '* '
      return sign + blocksOf(item, '\n').replaceAll(/\n(?!\n)/g, `\n${' '.repeat(sign.length)}`)
    })
    .join('\n')
}

function languageOf(block: Element): string {
  const named = block.closest('[data-code-language]')?.getAttribute('data-code-language')
  const [, called = ''] = /\blanguage-([\w+#-]+)/.exec(block.querySelector('code')?.className ?? '') ?? []
  return named?.toLowerCase() ?? called
}

function fenceCode(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`
}

function tableOf(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) =>
      inlinesOf(cell)
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|'),
    ),
  )
  const width = Math.max(0, ...rows.map(({ length }) => length))
  if (width === 0) return ''
  const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`)
  return [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')
}

function inlinesOf(parent: ParentNode & Node): string {
  return [...parent.childNodes].map(inlineOf).join('')
}

function inlineOf(node: Node): string {
  if (node instanceof Text) return literal(node.data.replaceAll(/[\t\n\r ]+/g, ' '))
  if (!(node instanceof Element)) return ''
  const own = ownOf(node)
  if (own !== undefined) return own
  const { tagName } = node
  if (tagName === 'BR') return '\n'
  if (tagName === 'CODE' || tagName === 'TT') return `\`${node.textContent}\``
  if (tagName === 'IMG') return node.getAttribute('alt') ?? ''
  const text = inlinesOf(node)
  if (tagName === 'A') return linkOf(node, text)
  const mark = markOf(node)
  return mark === undefined || text.trim() === '' ? text : text.replace(/^(\s*)(.*?)(\s*)$/s, `$1${mark}$2${mark}$3`)
}

/** URLs stay unchanged, and characters within words need no escape. */
function literal(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (/^\W{0,2}(https?:|www\.)/i.test(word) ? word : word.replaceAll(MARKING, '\\$&')))
    .join('')
}

const MARKING = /[*`]|~(?=~)|(?<![\p{L}\p{N}])_|\\(?=[!-/:-@[-`{-~])|\[(?=[^\]]*\]\()/gu

/** Escapes line starts that would begin a heading, quote, or list. */
function withoutSigns(lines: string): string {
  return lines.replaceAll(/^(#{1,6}(?= )|>|[+-](?= ))/gm, '\\$1').replaceAll(/^(\d{1,9})([.)])(?= )/gm, '$1\\$2')
}

/** Some editors wrap everything in `b` and then style it as not bold. */
function markOf(element: Element): string | undefined {
  const mark = MARKS[element.tagName]
  return mark === '**' && /font-weight:\s*(normal|400)/.test(element.getAttribute('style') ?? '') ? undefined : mark
}

function linkOf(link: Element, text: string): string {
  const address = link.getAttribute('href') ?? ''
  if (text.trim() === '' || !/^(https?:|mailto:)/i.test(address)) return text
  const said = link.textContent.trim()
  return address === said || address === `mailto:${said}` ? said : `[${text.trim()}](${address})`
}

function ownOf(element: Element): string | undefined {
  const { classList } = element
  const text = element.textContent
  if (classList.contains('user-mention') || classList.contains('user-group-mention')) return mentionOf(element, text)
  if (classList.contains('emoji'))
    return `:${(element.getAttribute('title') ?? element.getAttribute('alt') ?? '').replaceAll(':', '').replaceAll(' ', '_')}:`
  if (classList.contains('katex')) {
    const formula = element.querySelector('annotation')?.textContent
    return formula === undefined ? undefined : `$$${formula}$$`
  }
  if (element.tagName === 'TIME') {
    const time = element.getAttribute('datetime')
    return time === null ? undefined : `<time:${time}>`
  }
  return undefined
}

/** A pasted mention becomes silent: it notifies no one. */
function mentionOf(element: Element, text: string): string {
  const name = text.replace(/^@/, '')
  return element.classList.contains('user-group-mention') ? `@_*${name}*` : `@_**${name}**`
}
