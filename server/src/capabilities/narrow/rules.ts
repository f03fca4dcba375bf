<<<<<<< HEAD
import { caseKey } from '../../kernel/case-key.ts'
import type { World } from '../../kernel/fold.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { channelById, channelByName, type Channel } from '../channels/queries.ts'
import { mayKnow } from '../channels/rules.ts'
import type { Member } from '../groups/rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../organizations/contract/index.ts'
import { userById } from '../users/queries.ts'
import { visibleUserByEmail } from '../users/rules.ts'
import type { NarrowTerm } from './contract.ts'
=======
import type { Reader } from '../../kernel/transaction.ts'
import { channelsFold, isOpen, subscriptionsFold } from '../channels/queries.ts'
import { readable } from '../channels/rules.ts'
import type { Bind, Condition } from './queries/questions.ts'
>>>>>>> 237a556 (narrow: Find messages by every operator, and by their words.)

/** In a direct conversation of the reader. */
const IN_OWN_CONVERSATION = `(select true from conversations c join conversation_members cm
  on cm.organization_id = $1 and cm.user_id = $2 and cm.conversation_id = c.id
  where c.organization_id = $1 and c.topic_id = m.topic_id)`

/** Sent to a channel while the reader was subscribed. */
export const WHILE_SUBSCRIBED = `(select s.periods @> m.id from subscriptions s
  where s.organization_id = $1 and s.user_id = $2 and s.channel_id = m.channel_id)`

/**
 * Which messages a narrow is asked of, as a condition over a message `m`: what the reader received, channels while
 * subscribed and direct conversations; or, where the narrow says so, all that the reader may read. The planner must not
 * make joins of it.
 */
export function reachSql(reader: Reader, conditions: readonly Condition[], bind: Bind): string {
  const reaches = conditions.filter((condition) => !condition.negated).map((condition) => condition.question.reach)
  if (reaches.includes('granted')) return 'true'
  const open = reaches.includes('readable')
    ? `when m.channel_id = any(${bind(openChannels(reader))}::bigint[]) then true`
    : ''
  return `case when m.channel_id is null then ${IN_OWN_CONVERSATION} ${open} else ${WHILE_SUBSCRIBED} end
    and ${visibleSql(reader, bind, 'm.channel_id')}`
}

<<<<<<< HEAD
function resolve(world: World, member: Member, { operator, operand }: NarrowTerm): Question {
  const kind = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
  switch (kind) {
    case 'channel':
      return { kind, channelId: channelOf(world, member, operand).id }
    case 'topic':
      return { kind, topic: topicOf(operand) }
    case 'sender':
      return { kind, userId: userOf(world, member, operand) }
    case 'dm':
      return { kind, memberIds: membersOf(world, member, operand) }
    case 'id':
      return { kind, messageId: messageIdOf(operand) }
    case undefined:
      throw badNarrow(`unknown operator ${operator}`)
  }
=======
/** Leaving a private channel takes its history along. */
export function visibleSql(reader: Reader, bind: Bind, column: string): string {
  const lost = lostChannels(reader)
  return lost.length === 0 ? 'true' : `coalesce(${column} <> all(${bind(lost)}::bigint[]), true)`
>>>>>>> 237a556 (narrow: Find messages by every operator, and by their words.)
}

/** Channels the reader was subscribed to and may no longer read. */
function lostChannels({ world, actor }: Reader): number[] {
  const mine = world.of(subscriptionsFold).byUser.get(actor.userId)
  const { byId } = world.of(channelsFold)
  return [...(mine?.values() ?? [])]
    .filter((subscription) => {
      const channel = byId.get(subscription.channelId)
      return !isOpen(subscription) && (channel === undefined || readable(world, actor, channel) === 'none')
    })
    .map((subscription) => subscription.channelId)
}

<<<<<<< HEAD
function topicOf(operand: NarrowTerm['operand']): string {
  if (typeof operand !== 'string') throw badNarrow('a topic is a text')
  return operand === EMPTY_TOPIC_DISPLAY_NAME ? '' : operand
}

function userOf(world: World, member: Member, operand: string | number | readonly number[]): number {
  const user =
    typeof operand === 'number'
      ? userById(world, operand)
      : typeof operand === 'string'
        ? (visibleUserByEmail(world, member, operand) ?? userById(world, Number(operand)))
        : undefined
  if (user === undefined) throw badNarrow('unknown user')
  return user.id
}

function membersOf(world: World, member: Member, operand: NarrowTerm['operand']): number[] {
  const named = Array.isArray(operand)
    ? operand
    : typeof operand === 'string'
      ? operand.split(',').filter((part) => part.trim() !== '')
      : [operand]
  if (named.length === 0) throw badNarrow('no users')
  const ids = named.map((one) => userOf(world, member, typeof one === 'string' ? one.trim() : one))
  return [...new Set([...ids, member.userId])].toSorted((a, b) => a - b)
}

function messageIdOf(operand: NarrowTerm['operand']): number {
  const messageId = typeof operand === 'string' && /^\d+$/.test(operand) ? Number(operand) : operand
  if (typeof messageId !== 'number' || !Number.isSafeInteger(messageId)) throw badNarrow('an id is a number')
  return messageId
}

function badNarrow(desc: string): Refusal {
  return new Refusal('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc })
}

/** What a condition looks at in a message. */
export interface NarrowedMessage {
  readonly id: number
  readonly channelId: number | null
  readonly topic: string
  readonly senderId: number
  /** Everybody in a direct conversation, ascending; null for channel messages. */
  readonly memberIds: readonly number[] | null
}

/** Whether a message meets every condition. The same question as `conditionSql` asks. */
export function matchesNarrow(message: NarrowedMessage, conditions: readonly Condition[]): boolean {
  return conditions.every((condition) => matches(message, condition) !== condition.negated)
}

function matches(message: NarrowedMessage, condition: Condition): boolean {
  switch (condition.kind) {
    case 'channel':
      return message.channelId === condition.channelId
    case 'topic':
      return message.channelId !== null && caseKey(message.topic) === caseKey(condition.topic)
    case 'sender':
      return message.senderId === condition.userId
    case 'dm':
      return message.memberIds !== null && message.memberIds.join() === condition.memberIds.join()
    case 'id':
      return message.id === condition.messageId
  }
=======
/** Channels that the reader may read as a whole. */
function openChannels({ world, actor }: Reader): number[] {
  return [...world.of(channelsFold).byId.values()]
    .filter((channel) => readable(world, actor, channel) === 'all')
    .map((channel) => channel.id)
>>>>>>> 237a556 (narrow: Find messages by every operator, and by their words.)
}
