/* Other hosts cannot set `__Host-` cookies for this host. Browsers accept these cookies only over HTTPS. */

export type CookieKind = 'session' | 'attempt'

export function cookieName(isSecure: boolean, kind: CookieKind = 'session'): string {
  const name = kind === 'session' ? 'parley' : 'parley-attempt'
  return isSecure ? `__Host-${name}` : name
}

/** Returns the empty string, which is never a session, if several cookies differ: another host has set one of them. */
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

/** Returns a header for a cookie that scripts cannot read, and that other sites' pages can send only through links. */
export function setCookie(isSecure: boolean, value: string, seconds: number, kind: CookieKind = 'session'): string {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${cookieName(isSecure, kind)}=${value}; ${attributes}`
}
