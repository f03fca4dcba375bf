import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { SharedActorTx, SharedTx } from '../../kernel/transaction.ts'
import type { Subject } from '../../platform/log/overlap.ts'
import type { Call } from '../../platform/request.ts'
import type { EmojiNames } from '../../platform/markdown/emoji/codes.ts'
import { loadEmojiNames } from '../../platform/markdown/emoji/names.ts'
import {
  audienceIncludingActor,
  messageInvalidation,
  requireWritableMessage,
  type StoredMessage,
} from '../messages/queries/index.ts'
import { raisePolicy } from '../user-topics/actions/index.ts'
import { automaticPolicy } from '../user-topics/rules.ts'
import type * as contract from './contract.ts'
import { MESSAGE_EMOJI_LIMIT, reactionAdded, reactionRemoved } from './contract.ts'
import { emojiToAdd, emojiToRemove, type EmojiOnMessage } from './rules.ts'

export async function addReaction(
  call: Call,
  input: Input<typeof contract.addReaction>,
): Promise<Record<string, never>> {
  const names = await loadEmojiNames(call.server.apiNames)
  return call.log.actInSharedTransaction(call.actor, reactionSubject(call, input), (tx) =>
    addReactionInTransaction(tx, input, names),
  )
}

export async function removeReaction(
  call: Call,
  input: Input<typeof contract.removeReaction>,
): Promise<Record<string, never>> {
  const names = await loadEmojiNames(call.server.apiNames)
  return call.log.actInSharedTransaction(call.actor, reactionSubject(call, input), (tx) =>
    removeReactionInTransaction(tx, input, names),
  )
}

/** Requests conflict if they share a message, whose emoji are counted, or a user, whose topic policy can change. */
function reactionSubject(
  { actor }: Call,
  { message_id }: Input<typeof contract.addReaction | typeof contract.removeReaction>,
): Subject {
  return { kind: 'reaction', of: [`message ${message_id}`, `user ${actor.userId}`] }
}

async function addReactionInTransaction(
  tx: SharedActorTx,
  input: Input<typeof contract.addReaction>,
  names: EmojiNames,
): Promise<Record<string, never>> {
  const message = await requireWritableMessage(tx, input.message_id)
  const present = await emojiOnMessage(tx, message)
  const { mine, isThere, ...emoji } = emojiToAdd({ names, organization: tx.organization }, input, present)
  if (mine) throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
  if (!isThere && present.length >= MESSAGE_EMOJI_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `A message can have at most ${MESSAGE_EMOJI_LIMIT.most} different emoji.`)
  }
  const reaction = { ...emoji, user_id: tx.actor.userId }
  tx.invalidate(messageInvalidation, { message: message.id })
  const position = tx.emit(reactionAdded, { ...reaction, message_id: message.id }, audienceIncludingActor(tx, message))
  await tx.db
    .insertInto('reactions')
    .values({ organization_id: tx.organizationId, message_id: message.id, ...reaction, position })
    .execute()
  await raiseTopicPolicy(tx, message)
  return {}
}

async function removeReactionInTransaction(
  tx: SharedActorTx,
  input: Input<typeof contract.removeReaction>,
  names: EmojiNames,
): Promise<Record<string, never>> {
  const message = await requireWritableMessage(tx, input.message_id)
  const { mine: _, ...emoji } = emojiToRemove(
    { names, organization: tx.organization },
    input,
    await emojiOnMessage(tx, message),
  )
  await tx.db
    .deleteFrom('reactions')
    .where('organization_id', '=', tx.organizationId)
    .where('message_id', '=', message.id)
    .where('reaction_type', '=', emoji.reaction_type)
    .where('emoji_code', '=', emoji.emoji_code)
    .where('user_id', '=', tx.actor.userId)
    .execute()
  const reaction = { ...emoji, user_id: tx.actor.userId }
  tx.invalidate(messageInvalidation, { message: message.id })
  tx.emit(reactionRemoved, { ...reaction, message_id: message.id }, audienceIncludingActor(tx, message))
  return {}
}

async function raiseTopicPolicy(tx: SharedActorTx, { channelId, topic }: StoredMessage): Promise<void> {
  const automatic =
    channelId === null ? undefined : automaticPolicy(tx.organization, tx.actor.userId, channelId, 'react')
  if (channelId !== null && automatic !== undefined) await raisePolicy(tx, channelId, topic, automatic)
}

async function emojiOnMessage(tx: SharedActorTx, message: StoredMessage): Promise<EmojiOnMessage[]> {
  return tx.db.rows<EmojiOnMessage>(
    'emoji_on',
    `select reaction_type, emoji_code, min(emoji_name) as emoji_name, bool_or(user_id = $3) as mine
     from reactions where organization_id = $1 and message_id = $2 group by reaction_type, emoji_code`,
    [tx.organizationId, message.id, tx.actor.userId],
  )
}

export async function deleteReactions(tx: SharedTx, messageIds: readonly number[]): Promise<void> {
  await tx.db.rows(
    'delete_reactions',
    'delete from reactions where organization_id = $1 and message_id = any($2::bigint[])',
    [tx.organizationId, messageIds],
  )
}
