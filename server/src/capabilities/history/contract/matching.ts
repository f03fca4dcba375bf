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

type MessageMatcher = (message: NarrowedMessage) => boolean

const hasAnyFlag =
  (...flags: readonly string[]): MessageMatcher =>
  (message) =>
    flags.some((flag) => message.flags.includes(flag))

const isDirect: MessageMatcher = (message) => message.channelId === null

export const STATE_MATCHES = {
  dm: isDirect,
  private: isDirect,
  starred: hasAnyFlag('starred'),
  alerted: hasAnyFlag('has_alert_word'),
  mentioned: hasAnyFlag('mentioned', 'topic_wildcard_mentioned', 'stream_wildcard_mentioned'),
  unread: (message) => !message.flags.includes('read'),
} as const satisfies Record<string, MessageMatcher>

/** HTML fragments, each found in exactly the messages with that kind of content. */
export const CONTENT_HTML = {
  link: '<a href="',
  attachment: '<a href="/user_uploads/',
  image: '<div class="message_inline_image">',
} as const

export function hasContent(content: keyof typeof CONTENT_HTML): MessageMatcher {
  return ({ renderedContent }) => renderedContent.includes(CONTENT_HTML[content])
}

export function isInChannel(channelId: number): MessageMatcher {
  return (message) => message.channelId === channelId
}

export function isInTopic(name: string): MessageMatcher {
  const key = caseKey(name)
  return (message) => message.channelId !== null && caseKey(message.topic) === key
}

export function isFrom(userId: number): MessageMatcher {
  return (message) => message.senderId === userId
}

/** `memberIds` are all users in the conversation, ascending. */
export function isInConversation(memberIds: readonly number[]): MessageMatcher {
  return (message) => message.memberIds?.join() === memberIds.join()
}

export function isDirectWith(userIds: readonly number[]): MessageMatcher {
  return ({ memberIds }) => memberIds !== null && userIds.every((userId) => memberIds.includes(userId))
}
