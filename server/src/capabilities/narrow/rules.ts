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

/** A condition whose names have been looked up. */
export type Condition = Question & { readonly negated: boolean }

type Question =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly topic: string }
  | { readonly kind: 'sender'; readonly userId: number }
  /** A direct conversation, by everybody in it, ascending. */
  | { readonly kind: 'dm'; readonly memberIds: readonly number[] }
  | { readonly kind: 'id'; readonly messageId: number }

/** Operators by every name clients know them by. */
const OPERATORS: Readonly<Record<string, Condition['kind'] | undefined>> = {
  channel: 'channel',
  stream: 'channel',
  topic: 'topic',
  subject: 'topic',
  sender: 'sender',
  from: 'sender',
  dm: 'dm',
  'pm-with': 'dm',
  id: 'id',
}

/**
 * Looks up what a narrow names, as the member may see it.
 * @throws Refusal BAD_NARROW for an unknown operator, channel or user; a hidden channel is an unknown one
 */
export function resolveNarrow(world: World, member: Member, terms: readonly NarrowTerm[]): Condition[] {
  return terms.map((term) => ({ ...resolve(world, member, term), negated: term.negated }))
}

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
}

function channelOf(world: World, member: Member, operand: NarrowTerm['operand']): Channel {
  const byId = typeof operand === 'number' || /^\d+$/.test(String(operand))
  const named = typeof operand === 'string' ? channelByName(world, operand) : undefined
  const channel = named ?? (byId ? channelById(world, Number(operand)) : undefined)
  if (channel === undefined || !mayKnow(world, member, channel)) throw badNarrow('unknown channel')
  return channel
}

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
}
