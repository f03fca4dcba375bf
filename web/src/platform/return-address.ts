/* Remembers the URL at which a tab asked for sign-in, across 2FA and the identity provider's pages. */

const STORAGE_KEY = 'parley-return'

export function storeReturnAddress(): void {
  const { pathname, search, hash } = window.location
  try {
    sessionStorage.setItem(STORAGE_KEY, pathname + search + hash)
  } catch {
    // Without storage, the client opens its home view.
  }
}

export function returnAddress(): string | undefined {
  try {
    const kept = sessionStorage.getItem(STORAGE_KEY)
    // The origin is prepended, because a path that starts with two slashes would name another host.
    return kept === null ? undefined : window.location.origin + kept
  } catch {
    return undefined
  }
}

export function deleteReturnAddress(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage, there is nothing to remove.
  }
}
