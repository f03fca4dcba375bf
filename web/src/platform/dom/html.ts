/* The only place that turns strings into HTML: Trusted Types allow only this policy. */
import { localTime } from '../../kernel/time.ts'

interface TrustedTypesPolicy {
  createHTML(html: string): unknown
  createScriptURL(url: string): unknown
}

declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: { [Kind in keyof TrustedTypesPolicy]: (text: string) => string },
      ): TrustedTypesPolicy
    }
  }
}

const SERVICE_WORKER = '/sw.js'

declare const RENDERING_WORKER: string
declare const SOLVING_WORKER: string

const ALLOWED_SCRIPTS: readonly string[] = [SERVICE_WORKER, RENDERING_WORKER, SOLVING_WORKER]

const POLICY_RULES = {
  createHTML: (html: string) => html,
  createScriptURL: (url: string) => {
    if (!ALLOWED_SCRIPTS.includes(url)) throw new TypeError('no other script is run')
    return url
  },
}

const trustedTypesPolicy: TrustedTypesPolicy = window.trustedTypes?.createPolicy('parley', POLICY_RULES) ?? POLICY_RULES

export function serviceWorkerUrl(): string {
  // Trusted Types require a TrustedScriptURL, which other code can treat as a string.
  return trustedTypesPolicy.createScriptURL(SERVICE_WORKER) as string
}

export function startWorker(kind: 'rendering' | 'solving'): Worker {
  const url = kind === 'rendering' ? RENDERING_WORKER : SOLVING_WORKER
  // Trusted Types require a TrustedScriptURL, which other code can treat as a string.
  return new Worker(trustedTypesPolicy.createScriptURL(url) as string, { type: 'module' })
}

export function trustHtml(html: string): { __html: string } {
  // Trusted Types require TrustedHTML, which other code can treat as a string.
  return { __html: trustedTypesPolicy.createHTML(html) as string }
}

/** The parsed document loads no resources, runs no scripts, and is not displayed. */
export function parseInert(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = trustHtml(html).__html
  return template.content
}

export function htmlOf(element: Element): string {
  return element.outerHTML
}

export function textOf(html: string, leftOut = '.message_embed'): string {
  const content = parseInert(html)
  replaceEmojiElements(content)
  showLocalTimes(content)
  // A link preview is not part of the message.
  for (const one of content.querySelectorAll(leftOut)) one.remove()
  return (content.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** Omits spoilers and formulas, like the server's snippets. */
export function snippetOf(html: string): string {
  return textOf(html, '.message_embed, .spoiler-content, .katex')
}

/** Replaces emoji elements, whose class contains the code points, with characters. */
export function replaceEmojiElements(element: ParentNode): void {
  for (const emoji of element.querySelectorAll<HTMLElement>('span.emoji')) {
    const [, code] = /\bemoji-([0-9a-f-]+)\b/.exec(emoji.className) ?? []
    if (code === undefined) continue
    emoji.textContent = emojiFromCode(code)
    emoji.setAttribute('role', 'img')
    emoji.setAttribute('aria-label', emoji.title)
  }
}

export function showLocalTimes(element: ParentNode): void {
  for (const time of element.querySelectorAll('time')) {
    const seconds = Date.parse(time.dateTime) / 1000
    if (!Number.isNaN(seconds)) time.textContent = localTime(seconds)
  }
}

/** Characters, such as hearts and digits, that are displayed as text unless an emoji variation selector follows. */
const TEXT_STYLE_EMOJI = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\uFE0F|\p{Emoji_Modifier})/gu

export function emojiFromCode(code: string): string {
  const sign = String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
  return sign.replaceAll(TEXT_STYLE_EMOJI, '$&\uFE0F')
}

/** The opposite of `emojiFromCode`. */
export function emojiCode(sign: string): string {
  return [...sign].map((character) => character.codePointAt(0)?.toString(16)).join('-')
}
