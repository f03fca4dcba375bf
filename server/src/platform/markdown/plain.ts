import { escapeHtml } from './escape.ts'
import type { MarkdownContext } from './job.ts'

/** Renders the most common kind of text in a fraction of the parser's time; undefined for other texts. */
export function renderPlain(
  source: string,
  { linkifiers }: MarkdownContext,
): { html: string; text: string } | undefined {
  if (linkifiers.length > 0 || !isPlain(source)) return undefined
  const line = source.trimEnd()
  return { html: `<p>${escapeHtml(line)}</p>`, text: `\n${line}\n` }
}

/** Whether a text is one line without meaning in Markdown. */
function isPlain(source: string): boolean {
  return /^\p{L}(?:[\p{L}\p{Nd} ,?!'"()%+=-]|\.(?= |$))*$/u.test(source)
}
