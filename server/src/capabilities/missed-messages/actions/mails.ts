import type { OrganizationState } from '../../../kernel/projection.ts'
import { topicSegment } from '../../../kernel/topic-segment.ts'
import { toOneLine } from '../../../platform/mail/address.ts'
import { mailContent, type MailContent } from '../../../platform/mail/message-content.ts'
import { textAfterName } from '../../../platform/markdown/me-message.ts'
import { html } from '../../../platform/pages/html.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { channelById } from '../../channels/queries/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type { OutgoingMail } from '../../mail/actions/index.ts'
import type { MailChoice } from '../../mail/rules.ts'
import type { StoredMessage } from '../../messages/queries/index.ts'
import { organizationOf, settingOf } from '../../organizations/queries/index.ts'
import { unknownSender, userById, userSetting, type UserRow } from '../../users/queries/index.ts'
import { textLanguage, timeFormatOf } from '../../users/queries/settings.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import { CONVERSATION_MAIL_LIMIT, MAX_SHOWN_MESSAGES } from '../contract.ts'
import { activeSubscription, type NotificationReason } from '../rules.ts'
import { missedMailWording, type MissedMailWording } from './words.ts'

export interface MissedMessage {
  readonly message: StoredMessage
  readonly reason: NotificationReason
}

interface MailRecipient {
  readonly organization: OrganizationState
  readonly url: string
  readonly user: UserRow
  readonly language: string
  readonly words: MissedMailWording
  readonly prefix: string
}

const MAX_NAMES_IN_SUBJECT = 3
const ORGANIZATION_NAME_POLICY = { automatic: 1, always: 2, never: 3 } as const
const INBOX_PATH = '/inbox'

/** `isKnownElsewhere` tells whether the address also has an account in another organization on this server. */
export function missedMessageMails(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'urlOf'>,
  user: UserRow,
  missed: readonly MissedMessage[],
  isKnownElsewhere: boolean,
): OutgoingMail[] {
  if (missed.length === 0) return []
  const language = textLanguage(organization, user)
  const { name } = organizationOf(organization)
  const naming = userSetting(user, 'realm_name_in_email_notifications_policy')
  const isNamed =
    naming === ORGANIZATION_NAME_POLICY.always || (naming === ORGANIZATION_NAME_POLICY.automatic && isKnownElsewhere)
  const prefix = isNamed ? `[${name}] ` : ''
  const reader = {
    organization,
    url: server.urlOf(organization),
    user,
    language,
    words: missedMailWording(language),
    prefix,
  }
  const showsContent =
    settingOf(organization, 'message_content_allowed_in_email_notifications') &&
    userSetting(user, 'message_content_in_email_notifications')
  if (!showsContent) return [mailWithoutContent(reader, missed)]
  const conversations = groupByConversation(missed)
  const { most } = CONVERSATION_MAIL_LIMIT
  const others = conversations.slice(most)
  return [
    ...conversations.slice(0, most).map((conversation) => conversationMail(reader, conversation)),
    ...(others.length === 0 ? [] : [mailAboutOtherConversations(reader, others)]),
  ]
}

function groupByConversation(missed: readonly MissedMessage[]): MissedMessage[][] {
  const conversations = new Map<number, MissedMessage[]>()
  for (const one of missed) {
    const known = conversations.get(one.message.topicId)
    if (known === undefined) conversations.set(one.message.topicId, [one])
    else known.push(one)
  }
  return [...conversations.values()]
}

function conversationMail(reader: MailRecipient, missed: readonly MissedMessage[]): OutgoingMail {
  const { user, language, words } = reader
  const [first] = missed
  if (first === undefined) throw new Error('a conversation without a message')
  const { reason } = first
  const shown = missed.slice(0, MAX_SHOWN_MESSAGES).map(({ message }) => message)
  const left = missed.length - shown.length
  return {
    to: user.deliveryEmail,
    language,
    subject: reader.prefix + writeMailSubject(reader, first.message),
    paragraphs: [],
    content: writeMailContent(reader, shown, left === 0 ? undefined : words.more(left)),
    button: { label: words.open, path: conversationPathOf(user, first.message) },
    closing: [words.because[reason], words.noAnswers],
    thread: `${user.id} ${first.message.topicId}`,
    unsubscribe: { userId: user.id, from: mailChoiceOf(reader, first) },
  }
}

/** Returns a constant subject per conversation, because mail clients also group emails by subject. */
function writeMailSubject(
  { organization, user, words }: MailRecipient,
  { channelId, topic, memberIds }: StoredMessage,
): string {
  if (channelId !== null) {
    return `#${channelById(organization, channelId)?.name ?? ''} > ${presentTopic(topic, false)}`
  }
  const others = (memberIds ?? []).filter((userId) => userId !== user.id)
  const names = others.map((userId) => visibleNameOf(organization, user, userId))
  const left = names.length - MAX_NAMES_IN_SUBJECT
  return words.direct([...names.slice(0, MAX_NAMES_IN_SUBJECT), ...(left > 0 ? [words.others(left)] : [])].join(', '))
}

function visibleNameOf(organization: OrganizationState, reader: UserRow, userId: number): string {
  const user = userById(organization, userId)
  const isKnown = user !== undefined && canSeeUser(organization, { userId: reader.id, role: reader.role }, user)
  return isKnown ? user.fullName : unknownSender(organization, userId).full_name
}

function conversationPathOf(user: UserRow, { id, channelId, topic, memberIds }: StoredMessage): string {
  if (channelId !== null) return `/c/${channelId}/t/${topicSegment(topic)}?near=${id}`
  const others = (memberIds ?? []).filter((userId) => userId !== user.id)
  return `/dm/${(others.length === 0 ? [user.id] : others).join(',')}?near=${id}`
}

/** Returns the setting that "unsubscribe" turns off: the user's choice for the channel, or else the global setting. */
function mailChoiceOf({ organization, user }: MailRecipient, missed: MissedMessage | undefined): MailChoice {
  if (missed?.reason === 'followed_topic') return 'followed'
  const channelId = missed?.reason === 'channel' ? missed.message.channelId : null
  if (channelId === null) return 'personal'
  const isOwnChoice = activeSubscription(organization, user.id, channelId)?.emailNotifications === true
  return isOwnChoice ? `channel${channelId}` : 'channels'
}

function writeMailContent(
  reader: MailRecipient,
  messages: readonly StoredMessage[],
  more: string | undefined,
): MailContent {
  const { organization, user, url, words } = reader
  const pieces = messages.map((message, index) => {
    const content = mailContent(textAfterName(message.content, message.renderedContent), {
      ...timeFormatOf(organization, user),
      url,
      hiddenWords: words.hidden,
    })
    if (messages[index - 1]?.senderId === message.senderId) return content
    const name = toOneLine(visibleNameOf(organization, user, message.senderId))
    const time = formatTime(reader, message.dateSent)
    const head = html`<p style="margin:16px 0 4px">
      <strong>${name}</strong> <span style="font-size:13px;opacity:.75">${time}</span>
    </p>`
    return { text: `${name} (${time}):\n\n${content.text}`, html: head.markup + content.html }
  })
  const end =
    more === undefined ? [] : [{ text: more, html: html`<p style="margin:16px 0 0;opacity:.75">${more}</p>`.markup }]
  const all = [...pieces, ...end]
  return { text: all.map(({ text }) => text).join('\n\n'), html: all.map((piece) => piece.html).join('\n') }
}

function formatTime({ user, language }: MailRecipient, seconds: number): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: user.timezone || 'UTC',
    ...(userSetting(user, 'twenty_four_hour_time') ? { hour12: false } : {}),
  }).format(seconds * 1000)
}

function mailWithoutContent(reader: MailRecipient, missed: readonly MissedMessage[]): OutgoingMail {
  const { organization, user, language, words, prefix } = reader
  const { name } = organizationOf(organization)
  const { subject, paragraph, open, because } = words.withoutContent
  return {
    to: user.deliveryEmail,
    language,
    subject: prefix + subject(name),
    paragraphs: [paragraph(missed.length, name)],
    button: { label: open, path: INBOX_PATH },
    closing: [because, words.noAnswers],
    thread: `${user.id} all`,
    unsubscribe: { userId: user.id, from: mailChoiceOf(reader, missed[0]) },
  }
}

function mailAboutOtherConversations(reader: MailRecipient, others: readonly MissedMessage[][]): OutgoingMail {
  const { organization, user, language, words, prefix } = reader
  const { subject, paragraph } = words.elsewhere
  return {
    to: user.deliveryEmail,
    language,
    subject: prefix + subject(organizationOf(organization).name),
    paragraphs: [paragraph(others.flat().length, others.length)],
    button: { label: words.withoutContent.open, path: INBOX_PATH },
    closing: [words.noAnswers],
    thread: `${user.id} all`,
    unsubscribe: { userId: user.id, from: mailChoiceOf(reader, others[0]?.[0]) },
  }
}
