import { isMeMessage, withoutMe } from '@parley/server/markdown/me-message'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { routeAt, type Route } from '../../../kernel/route.ts'
import { trustHtml, replaceEmojiElements, showLocalTimes } from '../../../platform/dom/html.ts'
import { memo } from '../../../platform/dom/memo.tsx'
import { go, isPlainClick } from '../../../platform/router.ts'
import { routeOfFragment } from '../../places/fragments.ts'
import { preparePictures } from '../../uploads/parts/pictures.ts'
import { viewImage } from '../../uploads/state.ts'
import { openPerson } from '../../users/card.ts'
import { ownId, userName } from '../../users/state.ts'
import { useRendered } from '../rendering.ts'

export const Content = memo(function Content({ html }: { readonly html: string }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (element.current === null ? undefined : prepareContent(element.current)), [html])
  return (
    <div
      ref={element}
      class="content"
      dir="auto"
      dangerouslySetInnerHTML={trustHtml(html)}
      onClick={onContentClick}
      onKeyDown={onContentKey}
    />
  )
})

interface MeMessageProps {
  readonly author: ComponentChildren
  readonly html: string
  readonly time?: ComponentChildren
}

/** Shows a `/me` message: a sentence that begins with its author's name. */
export function MeMessage({ author, html, time }: MeMessageProps) {
  return (
    <div class="message-doing">
      {author} <Content html={withoutMe(html)} /> {time}
    </div>
  )
}

/** Shows the text as typed until it is rendered. */
export function RenderedText({ text }: { readonly text: string }) {
  const html = useRendered(text)
  if (html !== undefined && isMeMessage(text, html)) {
    return <MeMessage author={<strong class="message-author">{userName(ownId())}</strong>} html={html} />
  }
  if (html !== undefined) return <Content html={html} />
  return (
    <div class="content as-written" dir="auto">
      {text}
    </div>
  )
}

function onContentClick(event: MouseEvent): void {
  const { target } = event
  if (!(target instanceof Element)) return
  toggleSpoiler(target)
  const mention = target.closest<HTMLElement>('.user-mention[data-user-id]')
  const userId = Number(mention?.dataset['userId'])
  if (mention !== null && userId > 0) openPerson(mention, userId)
  const link = target.closest('a')
  if (link === null || !isPlainClick(event)) return
  const route = routeOfLink(link)
  if (route !== undefined) go(route)
  else if (!viewImage(link)) return
  event.preventDefault()
}

export function toggleSpoiler(target: Element): void {
  target.closest('.spoiler-header')?.closest('.spoiler-block')?.classList.toggle('is-open')
}

function onContentKey(event: KeyboardEvent): void {
  const { target } = event
  const isButton = target instanceof HTMLElement && target.matches('.user-mention[role=button]')
  if (!isButton || (event.key !== 'Enter' && event.key !== ' ')) return
  event.preventDefault()
  event.stopPropagation()
  target.click()
}

export function routeOfLink(link: URL | HTMLAnchorElement): Route | undefined {
  if (link.origin !== window.location.origin) return undefined
  return link.hash.startsWith('#narrow/') ? routeOfFragment(link.hash) : routeAt(link)
}

/** Counts both emoji and the spaces between them. */
const MAX_LARGE_EMOJI_NODES = 12

const DIRECTED_BLOCKS = 'p,li,h1,h2,h3,h4,h5,h6,th,td'

/** @returns a function that removes players of recordings */
function prepareContent(element: HTMLElement): (() => void) | undefined {
  prepareText(element)
  for (const mention of element.querySelectorAll<HTMLElement>('.user-mention[data-user-id]')) {
    if (!(Number(mention.dataset['userId']) > 0)) continue
    mention.setAttribute('role', 'button')
    mention.tabIndex = 0
  }
  return preparePictures(element)
}

/** Prepares everything that readers without an account see too. */
export function prepareText(element: HTMLElement): void {
  for (const block of element.querySelectorAll<HTMLElement>(DIRECTED_BLOCKS)) {
    // The first block sets the direction of the whole message, including its pictures.
    if (block !== element.firstElementChild) block.dir = 'auto'
  }
  replaceEmojiElements(element)
  const { firstElementChild: first, childElementCount: count } = element
  if (count === 1 && first?.matches('p') && isEmojiOnly(first)) first.classList.add('only-emoji')
  showLocalTimes(element)
  for (const item of element.querySelectorAll('li')) showTaskBox(item)
  for (const link of element.querySelectorAll('a')) {
    if (link.origin === window.location.origin) continue
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  }
}

/** Shows `[ ]` or `[x]` at the beginning of a list item as a checkbox, whose label is the rest of the line. */
function showTaskBox(item: HTMLElement): void {
  const line = item.querySelector(':scope > p:first-child') ?? item
  const { firstChild: text } = line
  if (!(text instanceof Text) || !/^\[[ x]\] /i.test(text.data)) return
  const label = document.createElement('label')
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.disabled = true
  box.defaultChecked = text.data.charAt(1) !== ' '
  text.data = text.data.slice('[ ]'.length)
  const nodes = [...line.childNodes]
  const end = nodes.findIndex((node) => node instanceof Element && node.matches('ul, ol, p, pre, div, blockquote'))
  label.append(box, ...nodes.slice(0, end === -1 ? undefined : end))
  line.prepend(label)
  item.classList.add('task')
}

function isEmojiOnly({ childNodes }: Element): boolean {
  const isEmoji = (node: ChildNode): boolean =>
    node instanceof Element ? node.matches('.emoji') : node.textContent?.trim() === ''
  return childNodes.length > 0 && childNodes.length < MAX_LARGE_EMOJI_NODES && [...childNodes].every(isEmoji)
}
