import { escapeMarkdown } from './escape.ts'
import { narrowUrl } from './narrow.ts'

/** Whether a name means nothing else to Markdown, wherever it stands. */
export function isPlainName(name: string): boolean {
  return /^[^*`\\@<>[\]$]*$/.test(name)
}

/**
 * The Markdown of a link to a channel or a topic: `#**channel>topic**`, or words and an address where a name would be read as
 * something else.
 * @param title the words for the topic, which may be empty
 */
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
