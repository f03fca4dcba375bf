/*
 * The browser knows at once which build of the client has a state in it, in a tab or kept. What it keeps itself is read only later.
 */

const KEY = 'parley-state'

/** Says which build has a state in this browser; none where it is undefined. */
export function noteBuildWithState(build: string | undefined): void {
  try {
    if (build === undefined) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, build)
  } catch {
    // A state is asked for early that is not needed, and given up.
  }
}

/** Whether a build has one. */
export function hasState(build: string | undefined): boolean {
  try {
    return localStorage.getItem(KEY) === build
  } catch {
    return false
  }
}
