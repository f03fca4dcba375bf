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
  const channel = [named, channelById(organization, numberOf(operand) ?? 0)].find(
    (one) => one !== undefined && canSeeChannel(organization, member, one),
  )
  if (channel === undefined) throw badNarrowError('unknown channel')
  return channel.id
}

export function topicOperand({ organization, member }: Asker, operand: Operand): string {
  if (typeof operand !== 'string') throw badNarrowError('a topic is a text')
  return normalizeExistingTopic(truncateBotTopic(organization, member, operand))
}

/** Accepts an API email, an ID, or a visible address. */
export function userOperand({ organization, member }: Asker, operand: Operand): number {
  const named = typeof operand === 'string' ? visibleUserByEmail(organization, member, operand.trim()) : undefined
  const user = named ?? visibleUser(organization, member, numberOf(operand) ?? 0)
  if (user === undefined) throw badNarrowError('unknown user')
  return user.id
}

/** Accepts a list of IDs or comma-separated text. */
export function usersOperand(asker: Asker, operand: Operand): number[] {
  const named = typeof operand === 'string' ? operand.split(',').filter((part) => part.trim() !== '') : [operand].flat()
  if (named.length === 0) throw badNarrowError('no users')
  return [...new Set(named.map((one) => userOperand(asker, one)))].toSorted((a, b) => a - b)
}

export function conversationOperand(asker: Asker, operand: Operand): number[] {
  return [...new Set([...usersOperand(asker, operand), asker.member.userId])].toSorted((a, b) => a - b)
}

export function messageOperand(_: Asker, operand: Operand): number {
  const messageId = numberOf(operand)
  if (messageId === undefined) throw badNarrowError('an id is a number')
  return messageId
}

export function textOperand(_: Asker, operand: Operand): string {
  if (typeof operand !== 'string') throw badNarrowError('expected a text')
  return operand
}

export function wordOperand<Word extends string>(
  operator: string,
  words: readonly Word[],
): (_: Asker, operand: Operand) => Word {
  return (_, operand) => {
    const word = words.find((one) => one === operand)
    if (word === undefined) throw badNarrowError(`unknown '${operator}' operand ${JSON.stringify(operand)}`)
    return word
  }
}

function numberOf(operand: Operand): number | undefined {
  const number = typeof operand === 'string' && /^\d+$/.test(operand.trim()) ? Number(operand) : operand
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

export function badNarrowError(desc: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc })
}
