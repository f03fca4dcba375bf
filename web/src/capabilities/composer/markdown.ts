/* Converts copied HTML to Markdown. Preserves what Parley messages contain, such as mentions and formulas. */
import { parseInert } from '../../platform/dom/html.ts'
import { userById } from '../users/state.ts'
import type { ComposedText } from './composed-text.ts'
import { linkText } from './formatting.ts'
import { isInFence } from './lines.ts'

const BOLD = '**'
const MARK_BY_TAG: Readonly<Record<string, string>> = {
  B: BOLD,
  STRONG: BOLD,
  I: '*',
  EM: '*',
  S: '~~',
  DEL: '~~',
  STRIKE: '~~',
}
const FORMATTED_ELEMENTS =
  'a[href], b, strong, i, em, s, del, strike, code, pre, ul, ol, blockquote, table, h1, h2, h3, h4, h5, h6, ' +
  '.user-mention, .user-group-mention, .emoji, .katex, [style*=mso-list]'
export const HIDDEN_ELEMENTS = 'script, style, template, head, title, meta, noscript, button, .katex-html'
export const BLOCK_TAGS =
  /^(P|DIV|SECTION|ARTICLE|HEADER|FOOTER|MAIN|UL|OL|LI|BLOCKQUOTE|PRE|TABLE|H[1-6]|HR|FIGURE|DL|DT|DD|FORM|ADDRESS)$/
const BLOCK_START = /^(\||#{1,6} |> |\* |\d+\. |`{3}|---$)/

interface Paste {
  readonly before: string
  readonly from: number
  readonly to: number
  readonly text: string
  readonly html: string
}

export function insertPasted(writing: ComposedText, pasted: Paste): void {
  const { before, from, to } = pasted
  const [head, rest] = [before.slice(0, from), before.slice(to)]
  const { value: now } = writing.text
  const text = textBetween(head, pasted, rest).replaceAll('\r\n', '\n')
  const typed = now === before ? 0 : now.length - head.length - rest.length
  const caret = text.length + typed
  if (typed >= 0 && now.startsWith(head) && now.endsWith(rest))
    writing.replace(from, now === before ? to : from, text, [caret, caret])
  else writing.insert(text)
}

function textBetween(head: string, { before, from, to, text, html }: Paste, rest: string): string {
  if (isInFence(head, from)) return text
  if (html === '') return linkText(before.slice(from, to), text.trim())
  const content = parseInert(html)
  for (const hidden of content.querySelectorAll(HIDDEN_ELEMENTS)) hidden.remove()
  const cell = onlyCell(content)
  const shown = cell ?? content
  if (shown.querySelector(FORMATTED_ELEMENTS) === null)
    return cell === undefined ? text : textWithLineBreaks(cell).trim()
  const code = partOfLine(content)
  if (code !== undefined) return code
  const markdown = toMarkdown(shown)
  const last = markdown.split('\n\n').at(-1) ?? ''
  const opens = BLOCK_START.test(markdown) && /\S[^\n]*$/.test(head)
  const closes = (BLOCK_START.test(last) || /^ {2}|`{3}$/.test(last)) && /^[^\n]*\S/.test(rest)
  return (opens ? '\n\n' : '') + markdown + (closes ? '\n\n' : '')
}

export function toMarkdown(content: ParentNode & Node): string {
  return blocksToMarkdown(content).trim()
}

function partOfLine(content: DocumentFragment): string | undefined {
  const block = content.querySelector('pre')
  const code = block === null ? '' : textWithLineBreaks(block).replace(/\n$/, '')
  return block === null || code.includes('\n') || !hasSameText(content, block) ? undefined : code
}

function onlyCell(content: DocumentFragment): Element | undefined {
  const cells = content.querySelectorAll('td, th')
  const [cell] = cells
  return cells.length === 1 && cell !== undefined && hasSameText(content, cell) ? cell : undefined
}

function hasSameText({ textContent: all }: DocumentFragment, { textContent: part }: Element): boolean {
  return all.trim() === part.trim()
}

/** @param gap separates two blocks, and limits the line breaks within a block other than code */
function blocksToMarkdown(parent: ParentNode & Node, gap: '\n' | '\n\n' = '\n\n'): string {
  let blocks = ''
  let line: Node[] = []
  let wasLine = false
  const add = (block: string, isLine: boolean): void => {
    if (block.trim() === '') wasLine &&= !isLine
    else {
      blocks += (blocks === '' ? '' : wasLine && isLine ? '\n' : gap) + block
      wasLine = isLine
    }
  }
  const endLine = (): void => {
    const text = line.map((node) => node.textContent).join('')
    if (line.some((node) => node instanceof Element) || text.trim() !== '')
      add(escapeLineStarts(joinInline(line).trim()).replaceAll(/\n{2,}/g, gap), true)
    line = []
  }
  for (const node of parent.childNodes) {
    if (node instanceof Element && (BLOCK_TAGS.test(node.tagName) || hasBlocks(node) || isCode(node))) {
      endLine()
      add(blockToMarkdown(node, gap), isLineBlock(node))
    } else line.push(node)
  }
  endLine()
  return blocks
}

/** Whether a block is a single line: editors and email programs use a block without a margin for each line. */
function isLineBlock(element: Element): boolean {
  const isLine =
    /^(DIV|P)$/.test(element.tagName) &&
    !isCode(element) &&
    (element.tagName === 'DIV' || isListLine(element) || hasNoMargin(element))
  return (
    isLine &&
    [...element.children].every((child) => !(BLOCK_TAGS.test(child.tagName) || hasBlocks(child)) || isLineBlock(child))
  )
}

function hasNoMargin(element: Element): boolean {
  const style = styleOf(element)
  const [, all = ''] = /margin:\s*([^;]*)/i.exec(style) ?? []
  const [top = '', , bottom = top] = all.split(' ')
  const [, below = bottom] = /margin-bottom:\s*([^;]*)/i.exec(style) ?? []
  return Number.parseFloat(below) < 0.1
}

function styleOf(element: Element): string {
  return element.getAttribute('style') ?? ''
}

function hasBlocks(element: Element): boolean {
  return [...element.children].some((child) => BLOCK_TAGS.test(child.tagName) || hasBlocks(child))
}

/** Some pages and editors use a styled block for each line of code instead of `pre`. */
function isCode(element: Element): boolean {
  if (element.tagName === 'PRE') return true
  const style = styleOf(element)
  const isStyled =
    /white-space:\s*(pre|break-spaces)/i.test(style) && /font-family:[^;]*(mono|consolas|menlo|courier)/i.test(style)
  return (isStyled || /^(CODE|TT|SAMP)$/.test(element.tagName)) && textWithLineBreaks(element).trim().includes('\n')
}

function textWithLineBreaks(parent: Node): string {
  let text = ''
  const endLine = (): void => {
    if (text !== '' && !text.endsWith('\n')) text += '\n'
  }
  for (const node of parent.childNodes) {
    if (node instanceof Text) text += node.data.replaceAll('\u00A0', ' ')
    if (!(node instanceof Element)) continue
    const isBlock = BLOCK_TAGS.test(node.tagName)
    if (isBlock) endLine()
    // A block that contains only a line break is an empty line.
    text += node.tagName === 'BR' ? '\n' : textWithLineBreaks(node)
    if (isBlock) endLine()
  }
  return text
}

function blockToMarkdown(element: Element, gap: '\n' | '\n\n'): string {
  const { tagName } = element
  if (isCode(element)) return fenceCode(textWithLineBreaks(element), codeLanguageOf(element))
  if (/^H[1-6]$/.test(tagName)) return `${'#'.repeat(Number(tagName[1]))} ${inlinesToMarkdown(element).trim()}`
  if (tagName === 'UL' || tagName === 'OL') return listToMarkdown(element)
  if (tagName === 'BLOCKQUOTE') {
    const quoted = blocksToMarkdown(element).split('\n')
    return quoted.map((line) => `> ${line}`.trimEnd()).join('\n')
  }
  if (tagName === 'TABLE') return tableToMarkdown(element)
  if (tagName === 'HR') return '---'
  return isListLine(element) ? listLineToMarkdown(element) : blocksToMarkdown(element, gap)
}

function listToMarkdown(list: Element): string {
  const first = Number(list.getAttribute('start') ?? 1)
  const items = [...list.children].filter(({ tagName }) => tagName === 'LI')
  return items
    .map((item, index) => {
      const sign = list.tagName === 'OL' ? `${first + index}. ` : '* '
      return sign + blocksToMarkdown(item, '\n').replaceAll(/\n(?!\n)/g, `\n${' '.repeat(sign.length)}`)
    })
    .join('\n')
}

function isListLine(element: Element): boolean {
  return element.tagName === 'P' && /mso-list:\s*l\d/i.test(styleOf(element))
}

function listLineToMarkdown(element: Element): string {
  const [, level = '1'] = /level(\d)/i.exec(styleOf(element)) ?? []
  const sign = element.querySelector('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]')
  const [number] = /^\d+/.exec(sign?.textContent.trim() ?? '') ?? []
  sign?.remove()
  return `${' '.repeat(3 * (Number(level) - 1))}${number === undefined ? '*' : `${number}.`} ${inlinesToMarkdown(element).trim()}`
}

function codeLanguageOf(block: Element): string {
  const named = block.closest('[data-code-language]')?.getAttribute('data-code-language')
  const classes = [block.querySelector('code'), block.parentElement].map((element) => element?.className)
  const [, called = ''] = /\b(?:language|highlight-source)-([\w+#-]+)/.exec(classes.join(' ')) ?? []
  return named?.toLowerCase() ?? called
}

function fenceCode(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`
}

const MAX_MERGED_CELLS = 50

function tableToMarkdown(table: Element): string {
  const cells = table instanceof HTMLTableElement ? rowsOf(table) : []
  const width = Math.max(0, ...cells.map((row) => row.findLastIndex((cell) => cell !== undefined && cell !== '') + 1))
  if (width === 0) return ''
  const lines = cells.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`)
  return [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')
}

function rowsOf({ rows }: HTMLTableElement): (string | undefined)[][] {
  const texts = [...rows].map((): (string | undefined)[] => [])
  for (const [index, row] of [...rows].entries()) {
    let column = 0
    for (const cell of row.cells) {
      while (texts[index]?.[column] !== undefined) column += 1
      for (const below of texts.slice(index, index + Math.min(Math.max(cell.rowSpan, 1), MAX_MERGED_CELLS)))
        for (let at = 0; at < Math.min(cell.colSpan, MAX_MERGED_CELLS); at += 1) below[column + at] = ''
      const text = texts[index]
      if (text !== undefined) text[column] = cellToMarkdown(cell)
    }
  }
  return texts
}

function cellToMarkdown(cell: Element): string {
  return singleLineToMarkdown(cell).replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|')
}

function singleLineToMarkdown(node: Node): string {
  if (!(node instanceof Element) || !(BLOCK_TAGS.test(node.tagName) || hasBlocks(node) || node.tagName === 'TD'))
    return inlineToMarkdown(node)
  if (node.tagName === 'PRE') return ` \`${node.textContent.trim()}\` `
  const sign = node.tagName === 'LI' ? '• ' : ''
  return ` ${sign}${[...node.childNodes].map(singleLineToMarkdown).join('')} `
}

function inlinesToMarkdown(parent: ParentNode & Node): string {
  return joinInline([...parent.childNodes])
}

function joinInline(nodes: readonly Node[]): string {
  let text = ''
  let before = ''
  for (const node of nodes) {
    const added = inlineToMarkdown(node)
    const mark = node instanceof Element ? marksOf(node).join('') : ''
    const isJoined = mark !== '' && mark === before && text.endsWith(mark) && added.startsWith(mark)
    text = isJoined ? text.slice(0, -mark.length) + added.slice(mark.length) : text + added
    if (added !== '') before = mark
  }
  return text
}

function inlineToMarkdown(node: Node): string {
  if (node instanceof Text) return escapeText(node.data.replaceAll(/[\t\n\r ]+/g, ' '))
  if (!(node instanceof Element)) return ''
  const own = specialToMarkdown(node)
  if (own !== undefined) return own
  const { tagName } = node
  if (tagName === 'BR') return '\n'
  if (tagName === 'CODE' || tagName === 'TT') return `\`${node.textContent}\``
  if (tagName === 'IMG') return node.getAttribute('alt') ?? ''
  if (node instanceof HTMLInputElement && node.type === 'checkbox') return node.checked ? '[x]' : '[ ]'
  const text = inlinesToMarkdown(node)
  if (tagName === 'A') return linkToMarkdown(node, text)
  const marks = marksOf(node)
  if (marks.length === 0 || text.trim() === '') return text
  const [opening, closing] = [marks.join(''), marks.toReversed().join('')]
  return text.replace(text.trim(), (marked) => opening + marked + closing)
}

/** Escapes Markdown characters, except in URLs. */
function escapeText(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (/^\W{0,2}(https?:|www\.)/i.test(word) ? word : word.replaceAll(SPECIAL_CHARACTER, '\\$&')))
    .join('')
}

const SPECIAL_CHARACTER = /[*`]|~(?=~)|(?<![\p{L}\p{N}])_|\\(?=[!-/:-@[-`{-~])|\[(?=[^\]]*\]\()/gu

/** Escapes line starts that would begin a heading, quote, or list. */
function escapeLineStarts(lines: string): string {
  return lines.replaceAll(/^(#{1,6}(?= )|>|[+-](?= ))/gm, '\\$1').replaceAll(/^(\d{1,9})([.)])(?= )/gm, '$1\\$2')
}

function marksOf(element: Element): readonly string[] {
  const marks = ownMarksOf(element)
  for (let around = element.parentElement; marks.length > 0 && around !== null; around = around.parentElement) {
    const taken = ownMarksOf(around)
    if (marks.some((mark) => taken.includes(mark))) return marks.filter((mark) => !taken.includes(mark))
  }
  return marks
}

/** Ignores `b` elements styled as not bold, in which some editors wrap everything. */
function ownMarksOf(element: Element): readonly string[] {
  const mark = MARK_BY_TAG[element.tagName]
  const style = styleOf(element)
  if (mark !== undefined) return mark === BOLD && /font-weight:\s*(normal|400)/.test(style) ? [] : [mark]
  if (element.tagName !== 'SPAN' || element.closest('.content, h1, h2, h3, h4, h5, h6, th') !== null) return []
  return [
    /font-weight:\s*(bold|[6-9]00)/i.test(style) ? BOLD : '',
    /font-style:\s*italic/i.test(style) ? '*' : '',
    /text-decoration[^;]*line-through/i.test(style) ? '~~' : '',
  ].filter(Boolean)
}

function linkToMarkdown(link: Element, text: string): string {
  const address = link.getAttribute('href') ?? ''
  if (text.trim() === '' || !/^(https?:|mailto:)/i.test(address)) return text
  const said = link.textContent.trim()
  return address === said || address === `mailto:${said}` ? said : `[${text.trim()}](${address})`
}

function specialToMarkdown(element: Element): string | undefined {
  const { classList } = element
  const text = element.textContent
  // Not for links: other programs use the same class for links to people.
  const isMention = classList.contains('user-mention') || classList.contains('user-group-mention')
  if (isMention && element.tagName !== 'A') return mentionToMarkdown(element, text)
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
function mentionToMarkdown(element: Element, text: string): string {
  const name = text.replace(/^@/, '')
  if (element.classList.contains('user-group-mention')) return `@_*${name}*`
  // Compares the names, because the text can be from another organization, where the ID belongs to someone else.
  const id = Number(element.getAttribute('data-user-id'))
  return userById(id)?.full_name === name ? `@_**${name}|${id}**` : `@_**${name}**`
}
