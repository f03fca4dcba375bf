/*
 * Session cookies. Browsers accept `__Host-` cookies only from encrypted pages, with `Secure`, and for this host name,
 * so neither another host name nor an attacker in transit can set one. On unencrypted servers, such as localhost,
 * browsers reject such cookies and the plain name is used.
 */

/** Cookie of a session, or of an attempt to sign in through another service. */
export type CookieKind = 'session' | 'attempt'

export function cookieName(isSecure: boolean, kind: CookieKind = 'session'): string {
  const name = kind === 'session' ? 'parley' : 'parley-attempt'
  return isSecure ? `__Host-${name}` : name
}

/**
 * Finds a cookie's value in a `Cookie` header. With several different values, some were set by another host name or
 * path and the header does not say which: the result is then an empty string, which is never a session.
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
 * Builds a `Set-Cookie` header. Scripts cannot read the cookie, and other sites' pages send it only when someone
 * follows a link.
 */
export function setCookie(isSecure: boolean, value: string, seconds: number, kind: CookieKind = 'session'): string {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${cookieName(isSecure, kind)}=${value}; ${attributes}`
}
