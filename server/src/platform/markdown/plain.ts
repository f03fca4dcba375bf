import { escapeHtml } from './escape.ts'
import type { MarkdownContext } from './job.ts'

/**
 * The result of the parser for the most common kind of text, at a fraction of the time; undefined for all other
 * texts.
 */
export function renderPlain(
  source: string,
  { linkifiers }: MarkdownContext,
): { html: string; text: string } | undefined {
  if (linkifiers.length > 0 || !isPlain(source)) return undefined
  // The only white space in a plain text is spaces.
  const line = source.trimEnd()
  return { html: `<p>${escapeHtml(line)}</p>`, text: `\n${line}\n` }
}

/**
 * One line of words and their punctuation, in which nothing can mean anything: it begins with a letter, no character of
 * it is part of markup, an emoji or an emoticon, and behind a full stop comes a space.
 */
function isPlain(source: string): boolean {
  return /^\p{L}(?:[\p{L}\p{Nd} ,?!'"()%+=-]|\.(?= |$))*$/u.test(source)
}
