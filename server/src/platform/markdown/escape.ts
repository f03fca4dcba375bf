const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text and double-quoted attributes, the only two places where the renderer writes input of authors. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => REPLACEMENTS[character] ?? '')
}

/** Escapes all ASCII punctuation, so that text appears literally within a line of Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}
