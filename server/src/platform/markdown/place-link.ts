import { escapeMarkdown } from './escape.ts'
import { narrowUrl } from './narrow.ts'

export function isPlainName(name: string): boolean {
  return /^[^*`\\@<>[\]$]*$/.test(name)
}

/** Builds `#**channel>topic**`, or a link with a label if Markdown would misread a name. */
export function placeLink(
  channel: { readonly id: number; readonly name: string },
  topic?: string,
  title = topic ?? '',
): string {
  const { name } = channel
  if (isPlainName(name) && isPlainName(topic ?? ''))
    return topic === undefined ? `#**${name}**` : `#**${name}>${topic}**`
  const words = topic === undefined ? `#${name}` : `#${name} > ${title}`
  return `[${escapeMarkdown(words)}](${narrowUrl(channel, topic).slice(1)})`
}
