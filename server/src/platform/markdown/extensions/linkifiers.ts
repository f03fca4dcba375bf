import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { jobOf } from '../job.ts'
import type { Linkifier } from '../job.ts'
import { findMatches } from '../linkifiers/matches.ts'
import { forEachText, textToken } from '../text-pieces.ts'

/** What an organization's administrators turn into links, such as `#123`, in text that is not a link already. */
export function linkifiers(md: MarkdownIt): void {
  md.core.ruler.after('linkify', 'linkifiers', linkMatches)
}

function linkMatches(state: StateCore): void {
  const { context } = jobOf(state.env)
  if (context.linkifiers.length === 0) return
  forEachText(state, 'outside links', ({ content }) => {
    const pieces: Token[] = []
    let position = 0
    for (const { start, end, href } of linkMatchesIn(state.md, content, context.linkifiers)) {
      pieces.push(textToken(state, content.slice(position, start)), ...link(state, href, content.slice(start, end)))
      position = end
    }
    return position === 0 ? undefined : [...pieces, textToken(state, content.slice(position))]
  })
}

function linkMatchesIn(md: MarkdownIt, text: string, list: readonly Linkifier[]) {
  return findMatches(text, list)
    .map(({ start, end, url }) => ({ start, end, href: md.normalizeLink(url) }))
    .filter(({ href }) => md.validateLink(href))
}

/** All links in plain text, those of linkifiers first where they overlap with bare addresses. */
export function findLinks(md: MarkdownIt, text: string, list: readonly Linkifier[]): { text: string; url: string }[] {
  const matches = linkMatchesIn(md, text, list)
  const bare = (md.linkify.match(text) ?? [])
    .map(({ index, lastIndex, url }) => ({ start: index, end: lastIndex, href: md.normalizeLink(url) }))
    .filter(({ href }) => md.validateLink(href))
    .filter(({ start, end }) => matches.every((match) => match.end <= start || match.start >= end))
  return [...matches, ...bare]
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, href }) => ({ text: text.slice(start, end), url: href }))
}

function link(state: StateCore, href: string, text: string): Token[] {
  const open = new state.Token('link_open', 'a', 1)
  open.attrs = [['href', href]]
  return [open, textToken(state, text), new state.Token('link_close', 'a', -1)]
}
