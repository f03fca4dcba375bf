import type { OrganizationState } from '../../../kernel/projection.ts'
import { presentMessage, type StoredMessage } from '../../messages/queries/index.ts'
import { userById, userSetting, type UserRow } from '../../users/queries/index.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import { MAX_PAYLOAD_BYTES } from './cryptography.ts'

export const MAX_CONTENT_CHARACTERS = 300
const MAX_LISTED_NAMES = 5

export type PushPayload =
  | ({ readonly type: 'message'; readonly message_id: number; readonly language: string } & MessagePush)
  | { readonly type: 'withdrawal'; readonly message_id: number }
  | { readonly type: 'test'; readonly language: string }

interface MessagePush {
  readonly sender: string
  readonly timestamp: number
  readonly channel_id?: number
  readonly channel?: string
  readonly topic?: string
  /** Display name of the topic, set even if the topic is empty. */
  readonly topic_name?: string
  /** Direct messages: the other users, or the user in a message to oneself. `user_ids` is absent if too long. */
  readonly user_ids?: readonly number[]
  readonly names?: readonly string[]
  readonly content?: string
}

export function messagePush(
  organization: OrganizationState,
  user: UserRow,
  message: StoredMessage,
  content: string | undefined,
): PushPayload {
  const reader = { userId: user.id, role: user.role }
  const form = { applyMarkdown: false, clientExternalAvatar: false, emptyTopicName: false, reader }
  const { sender_full_name: sender, subject, display_recipient } = presentMessage(organization, message, form)
  const common = {
    type: 'message',
    message_id: message.id,
    language: languageOf(user),
    sender,
    timestamp: message.dateSent,
    ...(content === undefined ? {} : { content }),
  } as const
  if (message.channelId !== null && typeof display_recipient === 'string') {
    const { channelId, topic } = message
    return trimPushPayload({ ...common, channel_id: channelId, channel: display_recipient, topic, topic_name: subject })
  }
  const others = (message.memberIds ?? []).filter((userId) => userId !== user.id)
  const names = others.map((userId) => userById(organization, userId)).filter((other) => other !== undefined)
  return trimPushPayload({
    ...common,
    user_ids: others.length === 0 ? [user.id] : others,
    names: names
      .filter((other) => canSeeUser(organization, reader, other))
      .slice(0, MAX_LISTED_NAMES)
      .map(({ fullName }) => fullName),
  })
}

/** Omits optional fields if the push is too long for a push service. */
function trimPushPayload(push: Extract<PushPayload, { type: 'message' }>): PushPayload {
  if (serializePayload(push).length <= MAX_PAYLOAD_BYTES) return push
  const { user_ids: _, ...without } = push
  if (serializePayload(without).length <= MAX_PAYLOAD_BYTES) return without
  const { content: __, ...shortest } = without
  return shortest
}

export function serializePayload(push: PushPayload): Buffer {
  return Buffer.from(JSON.stringify(push))
}

export function languageOf(user: UserRow): string {
  return userSetting(user, 'default_language')
}
