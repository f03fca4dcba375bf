/* Texts that people chose are quoted in what the server writes, so that Markdown takes them for nothing else. */

/** As it was written, in a block of its own. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}text\n${text}\n${fence}`
}
