/* Signed-out pages. The token after `#` proves access; browsers do not send it to the server when they load a page. */

const PAGE_BY_PATH = {
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
  readonly page: (typeof PAGE_BY_PATH)[keyof typeof PAGE_BY_PATH]
  readonly token: string | undefined
}

export function signedOutPageAt({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): SignedOutPage | undefined {
  const page = Object.entries(PAGE_BY_PATH).find(([path]) => path === pathname)?.[1]
  return page === undefined ? undefined : { page, token: /^#([\w-]+)$/.exec(hash)?.[1] }
}
