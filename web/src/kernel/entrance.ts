/* Signed-out pages. The token after `#` proves access. The browser sends it to a server only when the page uses it. */

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

export interface SignedOutPage {
  readonly page: (typeof PAGES)[keyof typeof PAGES]
  readonly token: string | undefined
}

export function signedOutPageAt({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): SignedOutPage | undefined {
  const page = Object.entries(PAGES).find(([path]) => path === pathname)?.[1]
  return page === undefined ? undefined : { page, token: /^#([\w-]+)$/.exec(hash)?.[1] }
}
