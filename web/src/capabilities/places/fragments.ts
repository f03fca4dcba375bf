import { OPERATORS, writeQuery, type Condition } from '../../kernel/query.ts'
import { isPlace, placeKey, type Route } from '../../kernel/route.ts'
import { channelName } from '../channels/state.ts'
import { ownId, userById, userName } from '../users/state.ts'

/*
 * Addresses of the form `narrow/channel/5-garden/topic/x.20y/near/7`: messages link to each other by them, and the server keeps the
 * views by them that a person made, for every client.
 */

interface Step {
  readonly operator: string
  /** Decoded. */
  readonly operand: string
  readonly isNegated: boolean
}

/** Older names of operators. */
const RENAMED: Readonly<Record<string, string>> = {
  stream: 'channel',
  subject: 'topic',
  'pm-with': 'dm',
  'group-pm-with': 'dm-including',
  from: 'sender',
  streams: 'channels',
}

/** The view at such an address, with or without the sign before it; undefined where there is none. */
export function routeOfFragment(fragment: string): Route | undefined {
  const [first, ...parts] = fragment.replace(/^#/, '').split('/')
  if (first !== 'narrow') return undefined
  const steps: Step[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, minus = '', name = ''] = /^(-?)(.*)$/.exec(parts[index] ?? '') ?? []
    steps.push({ operator: RENAMED[name] ?? name, operand: decoded(parts[index + 1] ?? ''), isNegated: minus === '-' })
  }
  const what = steps.filter(({ operator }) => operator !== 'near' && operator !== 'with')
  const near = Number(steps.find((step) => !what.includes(step))?.operand ?? 0)
  const at = near > 0 ? { near } : {}
  const route = conversationOf(what) ?? searchIn(what)
  return route !== undefined && isPlace(route) ? { ...route, ...at } : route
}

/** A channel, a topic or a direct conversation, where the steps say no more than that. */
function conversationOf(steps: readonly Step[]): Route | undefined {
  const [first, second, ...more] = steps
  if (first === undefined || steps.some(({ isNegated }) => isNegated) || more.length > 0) return undefined
  if (first.operator === 'channel') {
    const channelId = Number.parseInt(first.operand, 10)
    if (!(channelId > 0)) return undefined
    if (second === undefined) return { view: 'channel', channelId }
    return second.operator === 'topic' ? { view: 'topic', channelId, topic: second.operand } : undefined
  }
  if (first.operator !== 'dm' || second !== undefined) return undefined
  const userIds = (first.operand.split('-')[0] ?? '').split(',').map(Number)
  return userIds.every((id) => id > 0) ? { view: 'direct', userIds } : undefined
}

function searchIn(steps: readonly Step[]): Route | undefined {
  const words = steps
    .filter(({ operator }) => operator === 'search')
    .map(({ operand, isNegated }) => `${isNegated ? '-' : ''}${operand}`)
  const conditions = steps.filter(({ operator }) => operator !== 'search').map(conditionOf)
  const known = conditions.filter((one) => one !== undefined)
  if (steps.length === 0 || known.length < conditions.length) return undefined
  return { view: 'search', query: writeQuery({ conditions: known, words: words.join(' ') }) }
}

/** What stands in the field of a search for it: names, where the address has ids. */
function conditionOf({ operator: name, operand: said, isNegated }: Step): Condition | undefined {
  const operator = OPERATORS.find((one) => one === name)
  if (operator === undefined) return undefined
  const operand = operandOf(operator, said)
  return operand === undefined || operand === '' ? undefined : { operator, operand, isNegated }
}

function operandOf(operator: string, said: string): string | undefined {
  if (operator === 'channel') return channelName(Number.parseInt(said, 10))
  if (operator === 'sender') return personOf(said)
  if (operator !== 'dm' && operator !== 'dm-including') return said
  const people = (said.split('-')[0] ?? '').split(',').map(personOf)
  return people.includes(undefined) ? undefined : people.join()
}

function personOf(said: string): string | undefined {
  const id = Number.parseInt(said, 10)
  if (!(id > 0)) return said
  if (id === ownId()) return 'me'
  const person = userById(id)
  // Commas stand between people.
  return person === undefined || !userName(id).includes(',') ? person?.full_name : person.email
}

/** In these addresses a point stands for the per cent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'))
  } catch {
    return text
  }
}

/** Whether two routes show the same messages; a channel is one, whichever of its views is shown. */
export function isSamePlace(one: Route, other: Route): boolean {
  const keyOf = (route: Route): string =>
    isPlace(route) ? placeKey(route) : 'channelId' in route ? `channel:${route.channelId}` : route.view
  return keyOf(one) === keyOf(other)
}
