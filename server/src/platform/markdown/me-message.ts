export function isMeMessage(source: string, html: string): boolean {
  return source.startsWith('/me ') && html.startsWith('<p>') && html.endsWith('</p>') && html.lastIndexOf('<p>') === 0
}

const ME_COMMAND_PATTERN = /^<p>\/(?:me|<span class="highlight">me<\/span>) /

export function withoutMe(html: string): string {
  return html.replace(ME_COMMAND_PATTERN, '<p>')
}

export function textAfterName(source: string, html: string): string {
  return isMeMessage(source, html) ? withoutMe(html) : html
}
