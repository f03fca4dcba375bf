/** The target of a `#narrow` address. */
export interface NarrowTarget {
  readonly channelId: number
  readonly topic: string | undefined
  readonly messageId: number | undefined
}

/** `/#narrow/channel/5-general/topic/lunch/near/12`: the address of a channel, a topic or a message in the app. */
export function narrowUrl(channel: { id: number; name: string }, topic?: string, messageId?: number): string {
  const channelUrl = `/#narrow/channel/${channel.id}-${encodeNarrow(channel.name.replaceAll(' ', '-'))}`
  if (topic === undefined) return channelUrl
  const topicUrl = `${channelUrl}/topic/${encodeNarrow(topic)}`
  return messageId === undefined ? topicUrl : `${topicUrl}/near/${messageId}`
}

/** Percent-encoding with dots for percent signs, which mail programs and browsers leave alone in a fragment. */
export function encodeNarrow(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}

function decodeNarrow(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'))
  } catch {
    return undefined
  }
}

/** Reads an address within this organization; undefined for other addresses and for views that are not a channel's. */
export function readNarrowUrl(url: string): NarrowTarget | undefined {
  const parts = /^\/?#narrow\/(?:channel|stream)\/(\d{1,15})(?:-[^/]*)?(\/.*)?$/.exec(url)
  if (!parts) return undefined
  const rest = /^(?:\/(?:topic|subject)\/([^/?]*)(?:\/(near|with)\/(\d{1,15}))?)?\/?$/.exec(parts[2] ?? '')
  const topic = rest?.[1] === undefined ? undefined : decodeNarrow(rest[1])
  if (!rest || (rest[1] !== undefined && topic === undefined)) return undefined
  return {
    channelId: Number(parts[1]),
    topic,
    messageId: rest[2] === 'near' ? Number(rest[3]) : undefined,
  }
}
