const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Safe as text and inside double-quoted attributes, the only places where this renderer writes what an author wrote. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => REPLACEMENTS[character] ?? '')
}

/** A text as it stands within a line of Markdown, whatever signs are in it. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}
