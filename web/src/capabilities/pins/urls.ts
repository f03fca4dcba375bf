const DEFAULT_PROTOCOL = 'https:'
const ALLOWED_PROTOCOLS: readonly string[] = [DEFAULT_PROTOCOL, 'http:', 'mailto:']

/** Undefined for URLs that must not be opened, such as those that run scripts. */
export function parseUrl(text: string, origin = window.location.origin): URL | undefined {
  const url = URL.canParse(text, origin) ? new URL(text, origin) : undefined
  return url !== undefined && ALLOWED_PROTOCOLS.includes(url.protocol) ? url : undefined
}

/** Adds a missing scheme, and makes links within the organization relative. Undefined if the text is not a URL. */
export function completeUrl(text: string, origin = window.location.origin): string | undefined {
  const typed = text.trim()
  const isAddress = /^[^\s/@]+@[^\s/@]+$/.test(typed)
  const isComplete = /^([a-z][a-z\d+.-]*:(?!\d)|[/#])/i.test(typed)
  const guessed = isAddress ? `mailto:${typed}` : `${DEFAULT_PROTOCOL}//${typed}`
  const url = parseUrl(isComplete ? typed : guessed, origin)
  if (typed === '' || url === undefined) return undefined
  return url.origin === origin ? url.pathname + url.search + url.hash : url.href
}
