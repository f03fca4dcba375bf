/*
 * The cookie of a session. A browser takes `__Host-` only from a page that came encrypted, with `Secure` and for this host
 * name alone, so that no other name and no one on the way can set it. Where a server is reached without encryption, as on
 * one's own machine, browsers refuse such a cookie and the plain name has to do.
 */

/** The cookie of a session, and that of an attempt to sign in by another service. */
export type CookieKind = 'session' | 'attempt'

export function cookieName(isSecure: boolean, kind: CookieKind = 'session'): string {
  const name = kind === 'session' ? 'parley' : 'parley-attempt'
  return isSecure ? `__Host-${name}` : name
}

/**
 * The value of a cookie in a `Cookie` header; undefined where it is absent. Where there are several that differ, some were
 * set by another host name or for another path, and the header does not say which: then it is a value of no session.
 */
export function cookieValue(header: string, name: string): string | undefined {
  let found: string | undefined
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue
    const value = pair.slice(equals + 1).trim()
    if (found !== undefined && found !== value) return ''
    found = value
  }
  return found
}

/**
 * A `Set-Cookie` header. No script reads the cookie, and pages of other sites do not bring it along, but for links that
 * people follow.
 */
export function setCookie(isSecure: boolean, value: string, seconds: number, kind: CookieKind = 'session'): string {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${cookieName(isSecure, kind)}=${value}; ${attributes}`
}
