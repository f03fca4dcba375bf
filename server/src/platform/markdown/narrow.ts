import { escapeMarkdown } from './escape.ts'

export interface NarrowTarget {
  readonly channelId: number
  readonly topic: string | undefined
  readonly messageId: number | undefined
}

/** Builds a URL such as `/#narrow/channel/5-general/topic/lunch/near/12`. */
export function narrowUrl(channel: { id: number; name: string }, topic?: string, messageId?: number): string {
  const channelUrl = `/#narrow/channel/${channel.id}-${encodeFragmentPart(channel.name.replaceAll(' ', '-'))}`
  if (topic === undefined) return channelUrl
  const topicUrl = `${channelUrl}/topic/${encodeFragmentPart(topic)}`
  return messageId === undefined ? topicUrl : `${topicUrl}/near/${messageId}`
}

/** Encodes with dots instead of percent signs, because browsers leave dots unchanged. */
export function encodeFragmentPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}

function decodeFragmentPart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'))
  } catch {
    return undefined
  }
}

/** Parses the URL of a channel, topic, or message. Returns undefined for any other URL. */
export function readNarrowUrl(url: string): NarrowTarget | undefined {
  const parts = /^\/?#narrow\/(?:channel|stream)\/(\d{1,15})(?:-[^/]*)?(\/.*)?$/.exec(url)
  if (!parts) return undefined
  const rest = /^(?:\/(?:topic|subject)\/([^/?]*)(?:\/(near|with)\/(\d{1,15}))?)?\/?$/.exec(parts[2] ?? '')
  const topic = rest?.[1] === undefined ? undefined : decodeFragmentPart(rest[1])
  if (!rest || (rest[1] !== undefined && topic === undefined)) return undefined
  return {
    channelId: Number(parts[1]),
    topic,
    messageId: rest[2] === 'near' ? Number(rest[3]) : undefined,
  }
}

export function isUnescapedName(name: string): boolean {
  return /^[^*`\\@<>[\]$]*$/.test(name)
}

/** Builds `#**channel>topic**`, or a link with a label if Markdown would misread a name. */
export function conversationLink(
  channel: { readonly id: number; readonly name: string },
  topic?: string,
  title = topic ?? '',
): string {
  const { name } = channel
  if (isUnescapedName(name) && isUnescapedName(topic ?? ''))
    return topic === undefined ? `#**${name}**` : `#**${name}>${topic}**`
  const words = topic === undefined ? `#${name}` : `#${name} > ${title}`
  return `[${escapeMarkdown(words)}](${narrowUrl(channel, topic).slice(1)})`
}
