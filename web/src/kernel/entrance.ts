/*
 * Pages for people who are not signed in: to come in, to get in again, and to stop e-mails. Each is at an address of its own, and what
 * proves that one may be there is the token behind `#`, which is sent to no server until the page asks with it.
 */

const PAGES = {
  '/setup': 'setup',
  '/join': 'join',
  '/password': 'password',
  '/email': 'email',
  '/openid': 'openid',
  '/unsubscribe': 'unsubscribe',
  '/second-factor': 'second-factor',
  '/second-factor/setup': 'second-factor-setup',
  '/second-factor/passkey': 'second-factor-passkey',
} as const

export interface Entrance {
  readonly page: (typeof PAGES)[keyof typeof PAGES]
  /** Undefined where the address has none. */
  readonly token: string | undefined
}

/** The page at an address; undefined where the client itself is. */
export function entranceAt({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): Entrance | undefined {
  const page = Object.entries(PAGES).find(([path]) => path === pathname)?.[1]
  return page === undefined ? undefined : { page, token: /^#([\w-]+)$/.exec(hash)?.[1] }
}
