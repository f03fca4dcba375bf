/* `/me waves` describes an action of its author and appears as "Ada waves". */

/** Whether a message describes an action: it starts with `/me ` and is one paragraph. */
export function isMeMessage(source: string, html: string): boolean {
  return source.startsWith('/me ') && html.startsWith('<p>') && html.endsWith('</p>') && html.lastIndexOf('<p>') === 0
}

/** The command, possibly highlighted by a search. */
const COMMAND = /^<p>\/(?:me|<span class="highlight">me<\/span>) /

/** Removes the command from the HTML, which is shown after the author's name. */
export function withoutMe(html: string): string {
  return html.replace(COMMAND, '<p>')
}

/** Returns a message's HTML in the form shown after its author's name. */
export function behindName(source: string, html: string): string {
  return isMeMessage(source, html) ? withoutMe(html) : html
}
