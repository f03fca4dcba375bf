import { OPERATORS, writeQuery, type Condition } from '../../kernel/query.ts'
import { isPlace, placeKey, type Route } from '../../kernel/route.ts'
import { channelName } from '../channels/state.ts'
import { ownId, userById, userName } from '../users/state.ts'

/* Legacy fragments, in stored views and links between messages: `narrow/channel/5-garden/topic/x.20y/near/7`. */

interface FragmentCondition {
  readonly operator: string
  readonly operand: string
  readonly isNegated: boolean
}

const CURRENT_OPERATORS: Readonly<Record<string, string>> = {
  stream: 'channel',
  subject: 'topic',
  'pm-with': 'dm',
  'group-pm-with': 'dm-including',
  from: 'sender',
  streams: 'channels',
}

/** Accepts a fragment with or without `#`. Returns undefined if it is invalid. */
export function routeOfFragment(fragment: string): Route | undefined {
  const [first, ...parts] = fragment.replace(/^#/, '').split('/')
  if (first !== 'narrow') return undefined
  const steps: FragmentCondition[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, minus = '', name = ''] = /^(-?)(.*)$/.exec(parts[index] ?? '') ?? []
    steps.push({
      operator: CURRENT_OPERATORS[name] ?? name,
      operand: decodePart(parts[index + 1] ?? ''),
      isNegated: minus === '-',
    })
  }
  const what = steps.filter(({ operator }) => operator !== 'near' && operator !== 'with')
  const near = Number(steps.find((step) => !what.includes(step))?.operand ?? 0)
  const route = parseConversationRoute(what) ?? parseSearchRoute(what)
  if (!(near > 0)) return route
  if (route?.view === 'channel') return { ...route, view: 'channel-feed', near }
  if (route === undefined && what.length === 0) return { view: 'feed', near }
  return route !== undefined && isPlace(route) ? { ...route, near } : route
}

function parseConversationRoute(steps: readonly FragmentCondition[]): Route | undefined {
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

function parseSearchRoute(steps: readonly FragmentCondition[]): Route | undefined {
  const words = steps
    .filter(({ operator }) => operator === 'search')
    .map(({ operand, isNegated }) => `${isNegated ? '-' : ''}${operand}`)
  const conditions = steps.filter(({ operator }) => operator !== 'search').map(parseCondition)
  const known = conditions.filter((one) => one !== undefined)
  if (steps.length === 0 || known.length < conditions.length) return undefined
  return { view: 'search', query: writeQuery({ conditions: known, words: words.join(' ') }) }
}

function parseCondition({ operator: name, operand: said, isNegated }: FragmentCondition): Condition | undefined {
  const operator = OPERATORS.find((one) => one === name)
  if (operator === undefined) return undefined
  const operand = parseOperand(operator, said)
  return operand === undefined || operand === '' ? undefined : { operator, operand, isNegated }
}

function parseOperand(operator: string, said: string): string | undefined {
  if (operator === 'channel') return channelName(Number.parseInt(said, 10))
  if (operator === 'sender') return parsePersonOperand(said)
  if (operator !== 'dm' && operator !== 'dm-including') return said
  const people = (said.split('-')[0] ?? '').split(',').map(parsePersonOperand)
  return people.includes(undefined) ? undefined : people.join()
}

function parsePersonOperand(said: string): string | undefined {
  const id = Number.parseInt(said, 10)
  if (!(id > 0)) return said
  if (id === ownId()) return 'me'
  const person = userById(id)
  // Commas separate people, so a name with a comma is replaced by the email address.
  return person === undefined || !userName(id).includes(',') ? person?.full_name : person.email
}

/** Fragments use a period instead of the percent sign. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'))
  } catch {
    return text
  }
}

/** Whether two routes show the same place. Both views of a channel count as the same place. */
export function isSamePlace(one: Route, other: Route): boolean {
  const keyOf = (route: Route): string =>
    isPlace(route) ? placeKey(route) : 'channelId' in route ? `channel:${route.channelId}` : route.view
  return keyOf(one) === keyOf(other)
}
