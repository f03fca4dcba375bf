/* The build that has stored a state in this browser. Unlike IndexedDB, localStorage can be read synchronously. */

const KEY = 'parley-state'

export function recordBuildWithState(build: string | undefined): void {
  try {
    if (build === undefined) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, build)
  } catch {
    // Without this entry, the client only requests a state that it does not need.
  }
}

export function hasState(build: string | undefined): boolean {
  try {
    return localStorage.getItem(KEY) === build
  } catch {
    return false
  }
}
