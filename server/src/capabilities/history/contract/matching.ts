import { caseKey } from '../../../kernel/case-key.ts'

export interface NarrowedMessage {
  readonly id: number
  readonly channelId: number | null
  readonly topic: string
  readonly senderId: number
  readonly memberIds: readonly number[] | null
  readonly renderedContent: string
  readonly flags: readonly string[]
}

type Matches = (message: NarrowedMessage) => boolean

const isFlagged =
  (...flags: readonly string[]): Matches =>
  (message) =>
    flags.some((flag) => message.flags.includes(flag))

const isDirect: Matches = (message) => message.channelId === null

export const STATE_MATCHES = {
  dm: isDirect,
  private: isDirect,
  starred: isFlagged('starred'),
  alerted: isFlagged('has_alert_word'),
  mentioned: isFlagged('mentioned', 'topic_wildcard_mentioned', 'stream_wildcard_mentioned'),
  unread: (message) => !message.flags.includes('read'),
} as const satisfies Record<string, Matches>

/** HTML fragments, each found in exactly the messages with that kind of content. */
export const CONTENT_HTML = {
  link: '<a href="',
  attachment: '<a href="/user_uploads/',
  image: '<div class="message_inline_image">',
} as const

export function hasContent(content: keyof typeof CONTENT_HTML): Matches {
  return ({ renderedContent }) => renderedContent.includes(CONTENT_HTML[content])
}

export function isInChannel(channelId: number): Matches {
  return (message) => message.channelId === channelId
}

export function isInTopic(name: string): Matches {
  const key = caseKey(name)
  return (message) => message.channelId !== null && caseKey(message.topic) === key
}

export function isFrom(userId: number): Matches {
  return (message) => message.senderId === userId
}

/** `memberIds` are all users in the conversation, ascending. */
export function isInConversation(memberIds: readonly number[]): Matches {
  return (message) => message.memberIds?.join() === memberIds.join()
}

export function isDirectWith(userIds: readonly number[]): Matches {
  return ({ memberIds }) => memberIds !== null && userIds.every((userId) => memberIds.includes(userId))
}
