/* `/me waves` says what its author does, and is shown as that: "Ada waves". */

/** Whether a message says what its author does: it begins with `/me `, and is one paragraph. */
export function isMeMessage(source: string, html: string): boolean {
  return source.startsWith('/me ') && html.startsWith('<p>') && html.endsWith('</p>') && html.lastIndexOf('<p>') === 0
}

/** The command as a search may have marked it. */
const COMMAND = /^<p>\/(?:me|<span class="highlight">me<\/span>) /

/** The HTML of such a message without its command, to be shown behind its author's name. */
export function withoutMe(html: string): string {
  return html.replace(COMMAND, '<p>')
}

/** The HTML of any message as it is shown behind its author's name. */
export function behindName(source: string, html: string): string {
  return isMeMessage(source, html) ? withoutMe(html) : html
}
