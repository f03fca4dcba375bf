import type { IconName } from '../../kernel/icons.ts'
import { tl } from '../../kernel/later-texts.ts'
import { OPERATORS, writeCondition, type Condition, type Operator, type Query } from '../../kernel/query.ts'
import { rankItems } from '../../kernel/ranking.ts'
import { store } from '../../platform/client.ts'
import { channelSections } from '../channels/state.ts'
import { completeCondition, findSimilarOperator } from './near-misses.ts'
import { isoDay, periodTitle, parsePeriod, formatPeriod } from './periods.ts'
import { isKnownCondition, operatorNamed, readQuery, VALUES_BY_OPERATOR } from './search-query.ts'
import { suggestChannels, suggestPeople, suggestValues, suggestWords, type ValueSuggestion } from './values.ts'

/** Suggested search condition, an operator that still needs a value, or a question for a day. */
export interface Completion {
  readonly key: string
  readonly label: string
  readonly detail?: string | undefined
  readonly example?: string
  readonly icon: IconName
  readonly userId?: number | undefined
  readonly condition?: Condition
  /** Text with which to replace the whole content of the field. */
  readonly text?: string
  readonly asksDay?: boolean
}

const MAX_COMPLETIONS = 9
const MAX_NAMES = 3
const COMMON_OPERATORS: readonly Operator[] = ['from', 'in', 'topic', 'before', 'after', 'on', 'has', 'is']
const DATE_OPERATORS: readonly Operator[] = ['before', 'after', 'on', 'date']

const OPERATOR_ICONS: Readonly<Record<Operator, IconName>> = {
  from: 'person',
  in: 'hash',
  topic: 'feed',
  before: 'recent',
  after: 'recent',
  on: 'recent',
  has: 'attach',
  is: 'check',
  channel: 'hash',
  sender: 'person',
  dm: 'send',
  'dm-including': 'send',
  channels: 'channels',
  order: 'list',
  near: 'link',
  date: 'recent',
  id: 'link',
}

interface PendingTerm {
  readonly operator: Operator
  readonly isNegated: boolean
  readonly typed: string
  readonly before: string
}

/** Finds the operator with an incomplete value at the end of the text; names can contain spaces. */
export function pendingTermIn(text: string): PendingTerm | undefined {
  const terms = [...text.matchAll(/(?:^|\s)(-?)([a-z-]+):("?)/gi)].flatMap((found) => {
    const [start, minus, name = '', quote] = found
    const operator = operatorNamed(name)
    const typed = text.slice(found.index + start.length)
    if (operator === undefined || typed.includes('"')) return []
    return [{ operator, isNegated: minus === '-', typed, before: text.slice(0, found.index), isQuoted: quote !== '' }]
  })
  return terms.find(({ isQuoted }) => isQuoted) ?? terms.at(-1)
}

/** Whether Enter accepts the first suggestion: the operator takes names or dates, not free text or an ID. */
export function acceptsFirstOnEnter({ operator, typed }: PendingTerm): boolean {
  return typed.trim() !== '' && !['topic', 'near', 'id'].includes(operator)
}

export function completionsFor(text: string, conditions: readonly Condition[]): readonly Completion[] {
  const pending = pendingTermIn(text)
  if (pending !== undefined) return valueCompletions(pending, conditions)
  const [, minus = '', word = ''] = /(-?)(\S*)$/.exec(text) ?? []
  const before = text.slice(0, text.length - word.length - minus.length)
  const typed = word.toLowerCase()
  const isNegated = minus === '-'
  const names = typed === '' ? COMMON_OPERATORS : OPERATORS.filter((name) => name.startsWith(typed))
  const operators = names.map((operator) => operatorCompletion(operator, before, minus))
  if (typed === '') return operators
  // Words of a search are often similar to names, so only names that contain the word are suggested.
  const words = (['is', 'has'] as const).flatMap((operator) =>
    suggestWords(operator, typed)
      .filter(({ operand }) => operand.startsWith(typed))
      .map((value) => valueCompletion({ operator, isNegated }, value)),
  )
  const places = suggestChannels(typed, rankItems).map(({ operand, ...more }) =>
    valueCompletion({ operator: 'in', isNegated }, { operand: `#${operand}`, ...more }),
  )
  const people = suggestPeople(typed, rankItems).map((value) => valueCompletion({ operator: 'from', isNegated }, value))
  const found = [...operators, ...words, ...places.slice(0, MAX_NAMES), ...people.slice(0, MAX_NAMES)]
  return [...correctOperator(text), ...found].slice(0, MAX_COMPLETIONS)
}

/** Corrects `form:ada lovelace`, but not a web address. */
function correctOperator(text: string): readonly Completion[] {
  const [, before = '', minus = '', name = '', value = ''] = /^(.*\s|)(-?)([a-z-]+):(?!\/\/)([^"]*)$/i.exec(text) ?? []
  const operator = name === '' ? undefined : findSimilarOperator(name.toLowerCase())
  if (operator === undefined) return []
  const corrected = `${minus}${operator}:${value}`
  const icon = OPERATOR_ICONS[operator]
  return [{ key: 'correction', label: tl().search.didYouMean(corrected), icon, text: `${before}${corrected}` }]
}

function operatorCompletion(operator: Operator, before: string, minus: string): Completion {
  const example = exampleOperand(operator)
  return {
    key: operator,
    label: `${minus}${operator}:`,
    detail: tl().search.operators[operator],
    icon: OPERATOR_ICONS[operator],
    text: `${before}${minus}${operator}:`,
    ...(example === undefined ? {} : { example: writeCondition({ operator, operand: example, isNegated: false }) }),
  }
}

function exampleOperand(operator: Operator): string | undefined {
  switch (operator) {
    case 'from':
      return 'me'
    case 'in': {
      const name = channelSections.value[0]?.channels[0]?.name
      return name === undefined ? undefined : `#${name}`
    }
    case 'before':
    case 'on':
      return isoDay(new Date())
    case 'after':
      return isoDay(new Date()).slice(0, 'yyyy-mm'.length)
    case 'has':
    case 'is':
      return VALUES_BY_OPERATOR[operator]?.[0]
    default:
      return undefined
  }
}

function valueCompletions(pending: PendingTerm, conditions: readonly Condition[]): readonly Completion[] {
  const { operator, isNegated } = pending
  const completions = suggestValues(operator, pending.typed.trim(), conditions)
    .slice(0, MAX_COMPLETIONS)
    .map((value) => valueCompletion({ operator, isNegated }, value))
    // Some conditions cannot be negated.
    .filter(({ condition }) => !isNegated || condition === undefined || isKnownCondition(condition, store()))
  const isText = completions.length === 0 && pending.typed.trim() !== ''
  return DATE_OPERATORS.includes(operator) && !isText ? [...completions, ...dayCompletions(pending)] : completions
}

/** Offers a calendar. If nothing is typed after `on`, also offers `before` and `after`. */
function dayCompletions({ operator, isNegated, typed, before }: PendingTerm): readonly Completion[] {
  if (isNegated && operator === 'on') return []
  const others: readonly Operator[] = operator === 'on' && typed === '' ? ['before', 'after'] : []
  const start = before === '' ? '' : `${before} `
  return [
    { key: 'day', label: tl().search.chooseDay, icon: 'recent', asksDay: true },
    ...others.map((other) => operatorCompletion(other, start, '')),
  ]
}

function valueCompletion(
  { operator, isNegated }: Omit<Condition, 'operand'>,
  { operand, title = operand, icon = OPERATOR_ICONS[operator], ...more }: ValueSuggestion,
): Completion {
  const condition = { operator, operand, isNegated }
  return {
    key: `${operator}:${operand}`,
    label: `${isNegated ? '-' : ''}${operator}: ${title}`,
    icon,
    condition,
    ...more,
  }
}

/** Returns `Best match` for `order:best`, whose operator is only syntax. */
export function orderTitle({ operator, operand }: Condition): string | undefined {
  const isKnown = operator === 'order' && (operand === 'newest' || operand === 'best')
  return isKnown ? tl().search.orders[operand] : undefined
}

/** Returns the value as people read it: `2026-11-29` is `Yesterday`. */
export function operandTitle({ operator, operand }: Condition): string {
  const period = DATE_OPERATORS.includes(operator) ? parsePeriod(operand) : undefined
  return period === undefined ? operand : periodTitle(period)
}

/** Parses the search, without a condition that is still being typed. Completes earlier conditions, as Enter does. */
export function queryWhileTyping(text: string): Query {
  const { conditions, words } = readQuery(text)
  const pending = pendingTermIn(text)
  const typed = words.replace(/(^|\s)(-|-?[a-z-]+:"?)$/i, '').trim()
  const last = conditions.at(-1)
  const isWaiting = (condition: Condition): boolean =>
    pending !== undefined && isOpenEnded(pending) && condition === last
  return {
    conditions: conditions
      .filter(
        (one) => !isWaiting(one) && (one !== last || /\s/.test(pending?.typed ?? '') || isKnownCondition(one, store())),
      )
      .map(completeCondition),
    words: typed,
  }
}

/** Whether further typing could change the value in a way that the client cannot predict. */
function isOpenEnded({ operator, typed }: PendingTerm): boolean {
  if (DATE_OPERATORS.includes(operator)) return !/^\d{4}-\d\d-\d\d(\s|$)/.test(typed)
  return ['topic', 'near', 'id'].includes(operator) || (operator === 'in' && typed.includes('>'))
}

/** Names, topics, and most dates can contain spaces, so only other values end at a space. */
export function endsAtSpace({ operator, operand }: Condition): boolean {
  if (operator === 'in') return VALUES_BY_OPERATOR['in']?.includes(operand) === true
  if (DATE_OPERATORS.includes(operator)) return /^\d{4}-\d\d-\d\d$/.test(operand)
  return !['channel', 'topic', 'from', 'sender', 'dm', 'dm-including'].includes(operator)
}

/** Writes dates so that a link means the same on other days and in other languages. */
export function toAbsoluteDate(condition: Condition): Condition {
  const period = DATE_OPERATORS.includes(condition.operator) ? parsePeriod(condition.operand) : undefined
  return period === undefined ? condition : { ...condition, operand: formatPeriod(period) }
}
