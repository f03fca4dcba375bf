import { ApiError } from '../../../kernel/refusal.ts'
import { channelById, channelByName } from '../../channels/queries/index.ts'
import { canSeeChannel } from '../../channels/rules/index.ts'
import { normalizeExistingTopic, truncateBotTopic } from '../../channels/rules/topics.ts'
import { visibleUserByEmail } from '../../users/rules/index.ts'
import { visibleUser } from '../../users/rules/visibility.ts'
import type { NarrowTerm } from '../../messages/contract/narrow.ts'
import type { Asker } from './questions.ts'

export type Operand = NarrowTerm['operand']

/** A name wins over an ID: a channel can be named `7`. Hidden channels get the same error as missing channels. */
export function channelOperand({ organization, member }: Asker, operand: Operand): number {
  const named = typeof operand === 'string' ? channelByName(organization, operand.trim()) : undefined
  const channel = [named, channelById(organization, numericOperand(operand) ?? 0)].find(
    (one) => one !== undefined && canSeeChannel(organization, member, one),
  )
  if (channel === undefined) throw invalidNarrowError('unknown channel')
  return channel.id
}

export function topicOperand({ organization, member }: Asker, operand: Operand): string {
  if (typeof operand !== 'string') throw invalidNarrowError('a topic is a text')
  return normalizeExistingTopic(truncateBotTopic(organization, member, operand))
}

/** Accepts an API email, an ID, or a visible address. */
export function userOperand({ organization, member }: Asker, operand: Operand): number {
  const named = typeof operand === 'string' ? visibleUserByEmail(organization, member, operand.trim()) : undefined
  const user = named ?? visibleUser(organization, member, numericOperand(operand) ?? 0)
  if (user === undefined) throw invalidNarrowError('unknown user')
  return user.id
}

/** Accepts a list of IDs or comma-separated text. */
export function usersOperand(asker: Asker, operand: Operand): number[] {
  const named = typeof operand === 'string' ? operand.split(',').filter((part) => part.trim() !== '') : [operand].flat()
  if (named.length === 0) throw invalidNarrowError('no users')
  return [...new Set(named.map((one) => userOperand(asker, one)))].toSorted((a, b) => a - b)
}

export function conversationOperand(asker: Asker, operand: Operand): number[] {
  return [...new Set([...usersOperand(asker, operand), asker.member.userId])].toSorted((a, b) => a - b)
}

export function messageOperand(_: Asker, operand: Operand): number {
  const messageId = numericOperand(operand)
  if (messageId === undefined) throw invalidNarrowError('an id is a number')
  return messageId
}

export function textOperand(_: Asker, operand: Operand): string {
  if (typeof operand !== 'string') throw invalidNarrowError('expected a text')
  return operand
}

export function wordOperand<Word extends string>(
  operator: string,
  words: readonly Word[],
): (_: Asker, operand: Operand) => Word {
  return (_, operand) => {
    const word = words.find((one) => one === operand)
    if (word === undefined) throw invalidNarrowError(`unknown '${operator}' operand ${JSON.stringify(operand)}`)
    return word
  }
}

function numericOperand(operand: Operand): number | undefined {
  const number = typeof operand === 'string' && /^\d+$/.test(operand.trim()) ? Number(operand) : operand
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

export function invalidNarrowError(desc: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc })
}
