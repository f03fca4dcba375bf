import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { jobOf, spendBudget, type Linkifier } from '../job.ts'
import { findMatches } from '../linkifiers.ts'
import { forEachText, textToken } from '../tokens.ts'

/** A step tries one pattern at one character, in up to 30 ns. Only lists with hundreds of patterns reach the limit. */
export const MAX_LINKIFIER_STEPS_PER_MESSAGE = 3_000_000
const MAX_LINKIFIER_STEPS_PER_TOPIC = 500_000
export const MAX_ADDRESS_CHARACTERS_PER_TOPIC = 4_000

export function linkifiersExtension(md: MarkdownIt): void {
  md.core.ruler.after('linkify', 'linkifiers', linkMatches)
}

function linkMatches(state: StateCore): void {
  const { context } = jobOf(state.env)
  if (context.linkifiers.length === 0) return
  const spendSteps = (steps: number): boolean =>
    spendBudget(state.env, 'linkifiers', steps, MAX_LINKIFIER_STEPS_PER_MESSAGE)
  forEachText(state, 'outside links', ({ content }) => {
    const pieces: Token[] = []
    let position = 0
    for (const { start, end, href } of linkMatchesIn(state.md, content, context.linkifiers, spendSteps)) {
      pieces.push(
        textToken(state, content.slice(position, start)),
        ...createLinkTokens(state, href, content.slice(start, end)),
      )
      position = end
    }
    return position === 0 ? undefined : [...pieces, textToken(state, content.slice(position))]
  })
}

function linkMatchesIn(
  md: MarkdownIt,
  text: string,
  list: readonly Linkifier[],
  spendSteps: (steps: number) => boolean,
) {
  return findMatches(text, list, spendSteps)
    .map(({ start, end, url }) => ({ start, end, href: md.normalizeLink(url) }))
    .filter(({ href }) => md.validateLink(href))
}

interface TextSpan {
  readonly start: number
  readonly end: number
}

/** Prefers linkifier matches to overlapping URLs, but a URL that contains a match remains one link. */
export function findLinks(md: MarkdownIt, text: string, list: readonly Linkifier[]): { text: string; url: string }[] {
  let left = MAX_LINKIFIER_STEPS_PER_TOPIC
  const found = linkMatchesIn(md, text, list, (steps) => {
    left -= steps
    return left >= 0
  })
  const addresses = (md.linkify.match(text) ?? [])
    .map(({ index, lastIndex, url }) => ({ start: index, end: lastIndex, href: md.normalizeLink(url) }))
    .filter(({ href }) => md.validateLink(href))
  const isWithin = (one: TextSpan, { start, end }: TextSpan): boolean =>
    start <= one.start && one.end <= end && one.end - one.start < end - start
  const matches = found.filter((match) => !addresses.some((address) => isWithin(match, address)))
  const bare = addresses.filter(({ start, end }) => matches.every((match) => match.end <= start || match.start >= end))
  let room = MAX_ADDRESS_CHARACTERS_PER_TOPIC
  return [...matches, ...bare]
    .toSorted((a, b) => a.start - b.start)
    .filter(({ href }) => (room -= href.length) >= 0)
    .map(({ start, end, href }) => ({ text: text.slice(start, end), url: href }))
}

export const LINKIFIER = 'linkifier'

function createLinkTokens(state: StateCore, href: string, text: string): Token[] {
  const open = new state.Token('link_open', 'a', 1)
  open.attrs = [['href', href]]
  open.markup = LINKIFIER
  return [open, textToken(state, text), new state.Token('link_close', 'a', -1)]
}
