import { continuesWord, endsWithinWord } from '../../../kernel/words.ts'
import type { Linkifier } from '../job.ts'
import { compiledLinkifiers } from './compile.ts'
import type { CompiledLinkifier } from './compile.ts'

export interface LinkifierMatch {
  readonly start: number
  readonly end: number
  readonly url: string
}

/** The URL is built on demand: templates can repeat the matched text hundreds of times. */
interface LazyMatch extends Omit<LinkifierMatch, 'url'> {
  readonly url: () => string
}

const STEPS_TO_START = 10

/** Finds matches from left to right. If two overlap, the earlier linkifier wins. */
export function findMatches(
  text: string,
  linkifiers: readonly Linkifier[],
  spend: (steps: number) => boolean,
): LinkifierMatch[] {
  const matches: LazyMatch[] = []
  for (const linkifier of compiledLinkifiers(linkifiers)) {
    if (!text.includes(linkifier.literal)) continue
    if (!spend(linkifier.steps * text.length + STEPS_TO_START)) continue
    const taken = [...matches]
    const found = matchesOf(text, linkifier)
    matches.push(...withoutOverlaps(found, taken))
    matches.sort((a, b) => a.start - b.start)
  }
  return matches.map(({ start, end, url }) => ({ start, end, url: url() }))
}

/** Returns matches that overlap no taken match, in one pass because both lists are sorted. */
function withoutOverlaps(found: readonly LazyMatch[], taken: readonly LazyMatch[]): LazyMatch[] {
  let index = 0
  return found.filter((match) => {
    while ((taken[index]?.end ?? Infinity) <= match.start) index++
    return (taken[index]?.start ?? Infinity) >= match.end
  })
}

function matchesOf(text: string, { pattern, groups, template }: CompiledLinkifier): LazyMatch[] {
  const matches: LazyMatch[] = []
  const matcher = pattern.matcher(text)
  let position = 0
  while (position <= text.length && matcher.find(position)) {
    const start = matcher.start(1)
    const end = matcher.end(1)
    const values = Object.fromEntries(groups.map((name) => [name, matcher.group(name) ?? '']))
    if (end > start && !continuesWord(text, start) && !endsWithinWord(text, end))
      matches.push({ start, end, url: () => template.expand(values) })
    position = Math.max(end, position + 1)
  }
  return matches
}
