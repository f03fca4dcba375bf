/* The build that has stored a state in this browser. Unlike IndexedDB, localStorage can be read synchronously. */

const STORAGE_KEY = 'parley-state'

export function recordBuildWithState(build: string | undefined): void {
  try {
    if (build === undefined) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, build)
  } catch {
    // Harmless: without this entry, the client requests a state that it does not need.
  }
}

export function isStateOfBuildStored(build: string | undefined): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === build
  } catch {
    return false
  }
}
