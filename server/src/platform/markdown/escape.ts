const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => REPLACEMENTS[character] ?? '')
}

export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}
