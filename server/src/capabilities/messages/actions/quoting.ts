/* Texts that people chose are quoted in what the server writes, so that Markdown takes them for nothing else. */

/** The text as it stands within a line. */
export function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}

/** As it was written, in a block of its own. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}text\n${text}\n${fence}`
}
