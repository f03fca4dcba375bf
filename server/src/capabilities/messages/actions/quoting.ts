/* Escapes texts chosen by people for use in the server's Markdown. */

/** As it was written, in a block of its own. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}text\n${text}\n${fence}`
}
