import type { FileRoute } from '../files/serve.ts'

const PASS = ':token'
const SLASH = /(\/|%2f)/i

/** Removes access tokens from paths, even for unknown addresses and wrong methods. */
export function pathsForLog(routes: readonly Pick<FileRoute, 'path'>[]): (path: string) => string {
  const beginnings = routes
    .map(({ path }) => path.split('/').filter((segment) => segment !== ''))
    .filter((segments) => segments.includes(PASS))
    .map((segments) => segments.slice(0, segments.indexOf(PASS)))
  return (path) => {
    const before: string[] = []
    const shown = path.split(SLASH).map((segment) => {
      if (segment === '' || SLASH.test(segment)) return segment
      const isPass = beginnings.some((beginning) => endsWith(before, beginning))
      before.push(decodeSegment(segment).toLowerCase())
      return isPass ? PASS : segment
    })
    return shown.join('')
  }
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  return end.every((word, index) => words[words.length - end.length + index] === word)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
