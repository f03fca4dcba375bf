import type { Message } from '../../kernel/message.ts'
import { timeOfDay } from '../../kernel/time.ts'
import { messages } from '../../platform/client.ts'
import { copyWithToast } from '../../platform/dom/clipboard.ts'
import { htmlOf, parseInert, replaceEmojiElements, showLocalTimes } from '../../platform/dom/html.ts'
import { isWriting } from '../../platform/keys/keys.ts'
import { BLOCK_TAGS, HIDDEN_ELEMENTS } from '../composer/markdown.ts'
import { continuesRun } from './parts/rows.tsx'

export function listenForCopies(): void {
  // Listens on the window, so that a copy button's listener on the document runs first.
  window.addEventListener('copy', (event) => {
    const selection = document.getSelection()
    if (event.defaultPrevented || isWriting(document.activeElement) || selection?.isCollapsed !== false) return
    const parts = selectedPartsIn(selection.getRangeAt(0))
    const [first] = parts
    // For a part of a single message, the browser's own copying is better.
    if (first === undefined || first.isWhole) return
    const copied = document.createElement('div')
    // A triple click selects the text of one message, up to the start of the next message.
    if (parts.length === 1 && first.isFromText) copied.append(first.content)
    else for (const [index, part] of parts.entries()) copied.append(...copiedElementsOf(part, parts[index - 1]))
    event.clipboardData?.setData('text/plain', plainTextOf(copied))
    event.clipboardData?.setData('text/html', [...copied.children].map(htmlOf).join(''))
    event.preventDefault()
  })
}

export async function copyText({ content }: Message): Promise<void> {
  const shown = document.createElement('div')
  shown.append(parseInert(content))
  replaceEmojiElements(shown)
  showLocalTimes(shown)
  for (const preview of shown.querySelectorAll('.message_embed')) preview.remove()
  await copyWithToast(plainTextOf(shown))
}

export interface SelectedPart {
  readonly message: Message
  readonly range: Range
  readonly content: HTMLElement
  readonly isFromText: boolean
  /** Whether nothing outside this message's text is selected. */
  readonly isWhole: boolean
}

export function selectedPartsIn(range: Range): readonly SelectedPart[] {
  const parts: SelectedPart[] = []
  for (const row of document.querySelectorAll<HTMLElement>('[data-row]')) {
    const message = messages.get(Number(row.dataset['row']))?.peek()
    const shown = row.querySelector('.content') ?? row.querySelector('.message-main')
    if (message === undefined || shown === null || row.matches('.is-covered') || !range.intersectsNode(shown)) continue
    const content = document.createElement('div')
    const overlap = overlappingRange(range, shown)
    content.append(cloneSelection(overlap, shown))
    for (const hidden of content.querySelectorAll(
      `${HIDDEN_ELEMENTS}, .clip, a[download], .message-head, .message-marks`,
    ))
      hidden.remove()
    if (content.textContent.trim() !== '' || content.querySelector('img') !== null)
      parts.push({
        message,
        range: overlap,
        content,
        isFromText: shown.contains(range.startContainer),
        isWhole: shown.contains(range.commonAncestorContainer),
      })
  }
  return parts
}

const FORMATTING_SELECTOR = 'a, b, strong, i, em, del, code, pre, .codehilite, .user-mention'

/** Clones the selection with the formatting around it. */
function cloneSelection(range: Range, within: Element): Node {
  const { commonAncestorContainer: inner } = range
  let contents: Node = range.cloneContents()
  let around = inner instanceof Element ? inner : inner.parentElement
  for (; around !== null && around !== within; around = around.parentElement) {
    if (!around.matches(FORMATTING_SELECTOR)) continue
    const formatted = around.cloneNode()
    formatted.appendChild(contents)
    contents = formatted
  }
  return contents
}

function overlappingRange(range: Range, element: Element): Range {
  const overlap = document.createRange()
  overlap.selectNodeContents(element)
  if (element.contains(range.startContainer)) overlap.setStart(range.startContainer, range.startOffset)
  if (element.contains(range.endContainer)) overlap.setEnd(range.endContainer, range.endOffset)
  return overlap
}

function copiedElementsOf({ message, content }: SelectedPart, before: SelectedPart | undefined): readonly Element[] {
  const [only] = content.children
  if (content.children.length === 1 && only?.tagName === 'P' && only.textContent.trim() === content.textContent.trim())
    content.replaceChildren(...only.childNodes)
  const author = document.createElement('b')
  author.textContent = message.sender_full_name
  if (message.is_me_message) content.prepend(author, ' ')
  if (message.is_me_message || (before !== undefined && continuesRun(before.message, message))) return [content]
  const head = document.createElement('div')
  head.append(author, `, ${timeOfDay(message.timestamp)}`)
  return [head, content]
}

function plainTextOf(node: Node, isCode = false): string {
  if (node instanceof Text) return isCode ? node.data : node.data.replaceAll(/[\t\n\r ]+/g, ' ')
  if (!(node instanceof Element)) return ''
  if (node.tagName === 'BR') return '\n'
  if (node instanceof HTMLInputElement) return node.checked ? '[x]' : '[ ]'
  if (node.tagName === 'IMG') return node.getAttribute('alt') ?? ''
  if (node.matches('.katex')) return node.querySelector('annotation')?.textContent ?? node.textContent
  const text = plainTextOfBlocks(node, isCode || node.tagName === 'PRE')
  if (node.tagName === 'LI') return `${listMarkOf(node)} ${text}`
  return node.tagName === 'BLOCKQUOTE' ? text.replaceAll(/^/gm, '> ') : text
}

function plainTextOfBlocks(parent: Element, isCode: boolean): string {
  let text = ''
  let before: Element | undefined
  for (const child of parent.childNodes) {
    const piece = plainTextOf(child, isCode)
    const block =
      child instanceof Element && (BLOCK_TAGS.test(child.tagName) || /^(TR|THEAD|TBODY|TFOOT)$/.test(child.tagName))
        ? child
        : undefined
    const isCell = child instanceof Element && /^T[DH]$/.test(child.tagName)
    if (piece.trim() === '' && !isCode && (block !== undefined || text === '' || before !== undefined)) continue
    const gap = block?.tagName === 'P' && before?.tagName === 'P' ? '\n\n' : '\n'
    if (block !== undefined || before !== undefined) text = text === '' ? '' : text.replace(/\n$/, '') + gap
    else if (isCell && text !== '') text = `${text.trimEnd()}\t`
    text += block === undefined ? piece : piece.replace(/\n$/, '')
    before = block
  }
  return isCode ? text : text.trim()
}

function listMarkOf(item: Element): string {
  const { parentElement: list } = item
  if (list?.tagName !== 'OL') return '*'
  return `${Number(list.getAttribute('start') ?? 1) + [...list.children].indexOf(item)}.`
}
