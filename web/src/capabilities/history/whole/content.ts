import { tl } from '../../../kernel/later-texts.ts'
import type { Message } from '../../../kernel/message.ts'
import type { Conversation } from '../../../kernel/route.ts'
import { localTime } from '../../../kernel/time.ts'
import { store } from '../../../platform/client.ts'
import { parseInert, replaceEmojiElements, showLocalTimes, emojiFromCode } from '../../../platform/dom/html.ts'
import { wasMoved } from '../../message-edits/rules.ts'
import { shownName } from '../../muted-users/state.ts'
import { placeName } from '../../places/title.tsx'

/** Returns the URL to embed for a picture; undefined to keep only the link. */
export type PictureSource = (address: string) => Promise<string | undefined>

/** Makes URLs absolute, expands spoilers, and embeds images. Parsing the HTML loads no resources. */
export async function standaloneContent(html: string, sourceOf: PictureSource): Promise<DocumentFragment> {
  const content = parseInert(html)
  replaceEmojiElements(content)
  showLocalTimes(content)
  for (const drawn of content.querySelectorAll('.katex-html')) drawn.remove()
  for (const spoiler of content.querySelectorAll('.spoiler-block')) expandSpoiler(spoiler)
  for (const picture of content.querySelectorAll('.message_embed_image')) picture.remove()
  for (const film of content.querySelectorAll('video, audio')) film.replaceWith(labelOf(film))
  for (const image of content.querySelectorAll('img')) await showPicture(image, sourceOf)
  for (const link of content.querySelectorAll('a')) {
    const address = absoluteLink(link.getAttribute('href') ?? '')
    if (address === undefined) link.removeAttribute('href')
    else link.href = address
    link.rel = 'noopener noreferrer'
  }
  return content
}

const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:']

function absoluteLink(address: string): string | undefined {
  const whole = URL.canParse(address, window.location.origin) ? absoluteUrl(address) : ''
  return LINK_PROTOCOLS.some((protocol) => whole.startsWith(protocol)) ? whole : undefined
}

/** Uses a `details` element, which readers can open without scripts. */
function expandSpoiler(spoiler: Element): void {
  const { ownerDocument: page } = spoiler
  const [details, summary] = [page.createElement('details'), page.createElement('summary')]
  summary.append(...(spoiler.querySelector('.spoiler-header')?.childNodes ?? []))
  if ((summary.textContent ?? '').trim() === '') summary.textContent = tl().whole.spoiler
  details.append(summary, ...(spoiler.querySelector('.spoiler-content')?.childNodes ?? []))
  spoiler.replaceWith(details)
}

function labelOf(element: Element): string {
  const link = element.closest('a')
  return link?.title || element.getAttribute('alt') || (link?.getAttribute('href') ?? '')
}

async function showPicture(image: HTMLImageElement, sourceOf: PictureSource): Promise<void> {
  const address = absoluteUrl(image.getAttribute('src') ?? '')
  const name = labelOf(image)
  const isOwn = new URL(address).origin === window.location.origin
  const source = isOwn ? await sourceOf(address) : undefined
  if (source === undefined) {
    image.replaceWith(name)
    return
  }
  image.src = source
  image.alt = name
  image.removeAttribute('loading')
}

export interface ExportExtent {
  readonly conversation: Conversation
  readonly count: number
  /** Number of messages omitted because their senders are muted. */
  readonly leftOut: number
}

export function exportHeadOf({ conversation, count, leftOut }: ExportExtent): {
  title: string
  notes: readonly string[]
} {
  const summary = tl().whole.summary(count, store().read('realm_name'), localTime(Date.now() / 1000))
  return {
    title: placeName(conversation),
    notes: [summary, ...(leftOut > 0 ? [tl().whole.leftOut(leftOut)] : [])],
  }
}

export function editNotes(message: Message): readonly string[] {
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = message
  return [
    ...(edited === undefined ? [] : [tl().whole.edited(localTime(edited))]),
    ...(moved === undefined || !wasMoved(message) ? [] : [tl().whole.moved(localTime(moved))]),
  ]
}

export function reactionsOf({ reactions }: Message): readonly { readonly sign: string; readonly names: string }[] {
  const names = new Map<string, string[]>()
  for (const { emoji_code, emoji_name, reaction_type, user_id } of reactions) {
    const sign = reaction_type === 'unicode_emoji' ? emojiFromCode(emoji_code) : `:${emoji_name}:`
    names.set(sign, [...(names.get(sign) ?? []), shownName(user_id)])
  }
  return [...names].map(([sign, who]) => ({ sign, names: who.join(', ') }))
}

export function absoluteUrl(path: string): string {
  return new URL(path, window.location.origin).href
}

export function fileName(conversation: Conversation, ending: string): string {
  const name = placeName(conversation)
    .replaceAll(/[\p{C}\\/:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  return `${[...name].slice(0, 80).join('').trim() || 'conversation'}.${ending}`
}
