/*
 * The one door for HTML. The server's renderer makes message HTML safe by construction, wherever it runs, and the browser
 * takes HTML from nowhere else: its Trusted Types allow this policy alone.
 */
import { localTime } from '../../kernel/time.ts'

interface Policy {
  createHTML(html: string): unknown
  createScriptURL(url: string): unknown
}

declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { [Kind in keyof Policy]: (text: string) => string }): Policy
    }
  }
}

/** At this address for good. */
const SERVICE_WORKER = '/sw.js'

/** The build names it: the address of the script of the worker that renders messages. */
declare const RENDERING_WORKER: string

/** The scripts that are named while the client runs. */
const SCRIPTS: readonly string[] = [SERVICE_WORKER, RENDERING_WORKER]

const RULES = {
  createHTML: (html: string) => html,
  createScriptURL: (url: string) => {
    if (!SCRIPTS.includes(url)) throw new TypeError('no other script is run')
    return url
  },
}

const policy: Policy = window.trustedTypes?.createPolicy('parley', RULES) ?? RULES

/** The address of the service worker, for the browser to run. */
export function serviceWorkerUrl(): string {
  // The browser wants its own type where it checks, which is as good as a string to everything else.
  return policy.createScriptURL(SERVICE_WORKER) as string
}

/** Begins the worker that renders messages. */
export function startRenderingWorker(): Worker {
  // The browser wants its own type for the address; everything else takes that type for a string.
  return new Worker(policy.createScriptURL(RENDERING_WORKER) as string, { type: 'module' })
}

/** HTML of the server's renderer, for `dangerouslySetInnerHTML`. */
export function rendered(html: string): { __html: string } {
  // The browser wants its own type where it checks, which is as good as a string to everything else.
  return { __html: policy.createHTML(html) as string }
}

/** HTML that was copied elsewhere, to be read: nothing in it is loaded or run, and it is never shown. */
export function inert(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = rendered(html).__html
  return template.content
}

/** An element as HTML, for a file. */
export function htmlOf(element: Element): string {
  return element.outerHTML
}

/** The text of HTML of the server's renderer, in one line. */
export function textOf(html: string): string {
  const content = inert(html)
  showEmoji(content)
  // What a link leads to is not what the message says.
  for (const embed of content.querySelectorAll('.message_embed')) embed.remove()
  return (content.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** Shows emoji as the signs that they are: the renderer names them, with their code points in the class. */
export function showEmoji(element: ParentNode): void {
  for (const emoji of element.querySelectorAll<HTMLElement>('span.emoji')) {
    const [, code] = /\bemoji-([0-9a-f-]+)\b/.exec(emoji.className) ?? []
    if (code === undefined) continue
    emoji.textContent = signOf(code)
    emoji.setAttribute('role', 'img')
    emoji.setAttribute('aria-label', emoji.title)
  }
}

/** Says times in the reader's own zone. */
export function showTimes(element: ParentNode): void {
  for (const time of element.querySelectorAll('time')) {
    const seconds = Date.parse(time.dateTime) / 1000
    if (!Number.isNaN(seconds)) time.textContent = localTime(seconds)
  }
}

/** Signs that are letters unless a selector behind them says that they are emoji, such as the heart and digits. */
const LETTER_SIGNS = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\uFE0F|\p{Emoji_Modifier})/gu

/** The sign of a Unicode emoji: its code is its code points in hexadecimal digits. Codes leave selectors out. */
export function signOf(code: string): string {
  const sign = String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
  return sign.replaceAll(LETTER_SIGNS, '$&\uFE0F')
}
