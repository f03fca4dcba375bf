/*
 * A tab keeps the address at which it asked a person to sign in. The second step and the identity provider have pages at other addresses,
 * and the client opens the kept address after these pages. The tab forgets the address when the person is signed in.
 */

const KEY = 'parley-return'

/** Keeps the present address. */
export function keepReturnAddress(): void {
  const { pathname, search, hash } = window.location
  try {
    sessionStorage.setItem(KEY, pathname + search + hash)
  } catch {
    // One goes on at home.
  }
}

/** The address that this tab keeps; undefined where it keeps none. */
export function returnAddress(): string | undefined {
  try {
    const kept = sessionStorage.getItem(KEY)
    // A path that begins with two slashes would name another host.
    return kept === null ? undefined : window.location.origin + kept
  } catch {
    return undefined
  }
}

export function forgetReturnAddress(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // There is none.
  }
}
