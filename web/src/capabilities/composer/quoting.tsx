import { conversationOfMessage, type Message } from '../../kernel/message.ts'
import { tl } from '../../kernel/later-texts.ts'
import { keepFocus } from '../../platform/dom/growing-field.tsx'
import { Icon } from '../../platform/dom/icons.tsx'
import { hasOverlay, isWriting } from '../../platform/keys/keys.ts'
import { fetchSource } from '../message-edits/state.ts'
import { selectedPartsIn, type SelectedPart } from '../messages/copying.ts'
import { ownId } from '../users/state.ts'
import { linkTo, startReply } from './actions.ts'
import { splitQuote } from './composition.ts'
import { openFencesIn } from './lines.ts'
import { toMarkdown } from './markdown.ts'
import { currentComposition, offeredQuote, writeInto } from './state.ts'
import './parts/quote.css'

/** A reply quotes less than this unless the person selects more. */
const MAX_QUOTED_CHARACTERS = 500

/** Starts a reply to a message in its conversation. Quotes the selected part, or else the beginning of the message. */
export async function quoteMessage(message: Message, part = selectedPartOf(message)): Promise<void> {
  offeredQuote.value = undefined
  startReply(message)
  const place = conversationOfMessage(message, ownId())
  if (part !== undefined) return writeInto(place, quoteOf(message, part, linkTo(message)))
  const insertion = fetchSource(message).then((source) => {
    if (source === undefined) return
    const text = shortenMarkdown(withoutQuote(source), MAX_QUOTED_CHARACTERS)
    writeInto(place, quoteOf(message, text, linkTo(message)))
  })
  const { value: writing } = currentComposition
  if (writing === undefined) return insertion
  writing.insertion = insertion.finally(() => {
    writing.insertion = undefined
  })
}

/** @param link address of the message */
export function quoteOf({ sender_full_name: name, sender_id: id }: Message, source: string, link: string): string {
  const longest = Math.max(2, ...[...source.matchAll(/`{3,}/g)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `@_**${name}|${id}** [${tl().messages.said}](${link}):\n${fence}quote\n${source}\n${fence}\n`
}

/** A reply to a reply quotes only the newer text, so that quotes do not pile up. */
function withoutQuote(source: string): string {
  const [, text] = splitQuote(source)
  return text.trim() === '' ? source : text
}

/** Cuts a text at the end of a line or a word, and closes its code blocks. */
export function shortenMarkdown(source: string, limit: number): string {
  const text = source.trim()
  if (text.length <= limit) return text
  const cut = text.slice(0, limit)
  const end = [cut.lastIndexOf('\n'), cut.lastIndexOf(' ')].find((at) => at > limit / 2) ?? limit
  const kept = cut.slice(0, end).trimEnd()
  const fences = openFencesIn(kept).map(({ fence }) => `\n${fence}`)
  return `${kept}${fences.toReversed().join('')}\n…`
}

function selectedPartOf({ id }: Message): string | undefined {
  const part = selectedPart()
  return part?.message.id === id ? toMarkdown(part.content) : undefined
}

/** Returns undefined unless the selection is in a single message. */
function selectedPart(): SelectedPart | undefined {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed || isWriting(document.activeElement)) return undefined
  const [part, ...others] = selectedPartsIn(selection.getRangeAt(0))
  return others.length === 0 && part?.isFromText === true ? part : undefined
}

/** Pause after which a selection counts as finished, so that the button does not flicker. */
const SELECTION_PAUSE_MILLISECONDS = 250

export function watchSelections(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPressed = false
  const restart = (): void => {
    clearTimeout(timer)
    if (!isPressed && !isWriting(document.activeElement)) timer = setTimeout(offerQuote, SELECTION_PAUSE_MILLISECONDS)
  }
  // Also reports each letter typed in a field, so it reads neither the selection nor the layout.
  document.addEventListener('selectionchange', () => {
    offeredQuote.value = undefined
    restart()
  })
  for (const type of ['pointerdown', 'pointerup', 'pointercancel'] as const) {
    const press = (): void => {
      isPressed = type === 'pointerdown'
      restart()
    }
    document.addEventListener(type, press, { passive: true })
  }
  window.addEventListener('keydown', dismissQuoteButton, { capture: true })
}

const BUTTON_HEIGHT_PIXELS = 40

/** Shows a button below the end of the selected part of a message. */
function offerQuote(): void {
  const part = selectedPart()
  if (part === undefined) return
  const { message, content, range } = part
  const row = document.querySelector(`[data-row="${message.id}"]`)?.getBoundingClientRect()
  const list = document.querySelector('.list')?.getBoundingClientRect()
  const end = [...range.getClientRects()].findLast(({ width }) => width > 0)
  if (row === undefined || list === undefined || end === undefined) return
  const top = Math.min(end.bottom, list.bottom - BUTTON_HEIGHT_PIXELS) - row.top
  const style = { top: `${top}px`, left: `clamp(0px, ${end.left + end.width / 2 - row.left}px, 100% - 6rem)` }
  const button = (
    <button
      class="button quote-offer"
      style={style}
      onMouseDown={keepFocus}
      onClick={() => void quoteMessage(message, toMarkdown(content))}
    >
      <Icon name="quote" size={16} />
      {tl().quoting.quote}
    </button>
  )
  offeredQuote.value = { messageId: message.id, button }
}

function dismissQuoteButton(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || offeredQuote.peek() === undefined || hasOverlay()) return
  const { activeElement } = document
  if (activeElement?.matches('.quote-offer') === true)
    activeElement.closest<HTMLElement>('[data-row]')?.focus({ preventScroll: true })
  offeredQuote.value = undefined
  event.preventDefault()
  event.stopPropagation()
}
