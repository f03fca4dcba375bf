/*
 * The address that somebody opened who was not signed in. The second step of signing in and the identity provider have pages of their
 * own, from which one goes on there. Each tab keeps its own, until somebody is signed in.
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
