import { OPERATORS, writeCondition, writeQuery, type Condition, type Operator } from '../../kernel/query.ts'
import { rankItems } from '../../kernel/ranking.ts'
import { store } from '../../platform/client.ts'
import { allChannels } from '../channels/state.ts'
import { familiarPeople } from '../users/familiar.ts'
import { uniqueNameOrEmail } from '../users/state.ts'
import { namedPeriods, normalizePhrase, formatPeriod } from './periods.ts'
import { isKnownCondition, operatorNamed, QUERY_PIECE, readQuery, VALUES_BY_OPERATOR } from './search-query.ts'

/* Corrections of mistyped operators and values. All names come from the state, which has only visible ones. */

/** Number of letters to insert, delete, replace, or swap with a neighbor. */
function editDistance(one: string, other: string): number {
  let [before, last]: readonly [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwap = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[at - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[before, last] = [last, next]
  }
  return last[other.length] ?? 0
}

const MIN_LETTERS_FOR_TWO_EDITS = 5
const MIN_LETTERS = 2

/** Returns the number of edits, or undefined if the texts differ too much for a typing error. */
function countTypingErrors(typed: string, name: string): number | undefined {
  const most = typed.length >= MIN_LETTERS_FOR_TWO_EDITS ? 2 : 1
  if (typed.length < MIN_LETTERS || Math.abs(typed.length - name.length) > most) return undefined
  const edits = editDistance(typed, name)
  return edits <= most && edits < name.length - 1 ? edits : undefined
}

export function findSimilarOperator(name: string): Operator | undefined {
  return findSimilarItems(OPERATORS, name, (operator) => operator)[0]
}

const MAX_SIMILAR_ITEMS = 3

/** Compares whole names, and as many of their words as were typed. Returns the nearest first. */
export function findSimilarItems<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Item[] {
  const phrase = normalizePhrase(typed)
  const words = phrase.split(' ').length
  return items
    .flatMap((item) => {
      const name = normalizePhrase(nameOf(item))
      const parts = name.split(' ')
      const candidates = [name, ...parts.map((_, at) => parts.slice(at, at + words).join(' '))]
      const edits = candidates.map((one) => countTypingErrors(phrase, one)).filter((one) => one !== undefined)
      return edits.length === 0 ? [] : [{ item, edits: Math.min(...edits) }]
    })
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, MAX_SIMILAR_ITEMS)
    .map(({ item }) => item)
}

/** Returns items whose name contains the text; if there are none, items with a similar name. */
export function findItems<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Item[] {
  const found = rankItems(items, typed, nameOf)
  return found.length > 0 || typed === '' ? found : findSimilarItems(items, typed, nameOf)
}

export interface Correction {
  readonly label: string
  readonly query: string
}

const MAX_CORRECTIONS = 3

/** Suggests other queries, each with one part corrected. */
export function suggestCorrections(query: string): readonly Correction[] {
  const pieces = [...query.matchAll(QUERY_PIECE)]
  return pieces
    .flatMap(([piece, minus = '', name = '', quoted, bare]) => {
      const operand = quoted ?? bare
      if (name === '' || operand === undefined || operand.startsWith('//')) return []
      const operator = operatorNamed(name) ?? findSimilarOperator(name)
      if (operator === undefined) return []
      const condition = { operator, operand, isNegated: minus === '-' }
      const isKnown = isKnownCondition(condition, store())
      if (operatorNamed(name) !== undefined && isKnown) return []
      return (isKnown ? [condition] : findSimilarConditions(condition)).map((one) => ({
        label: writeCondition(one),
        query: withoutDuplicates(pieces.map(([text]) => (text === piece ? writeCondition(one) : text)).join(' ')),
      }))
    })
    .slice(0, MAX_CORRECTIONS)
}

function withoutDuplicates(query: string): string {
  const { conditions, words } = readQuery(query)
  const byText = new Map(conditions.map((condition) => [writeCondition(condition), condition]))
  return writeQuery({ conditions: [...byText.values()], words })
}

/** Completes a value that only one person, channel, or word matches. */
export function completeCondition(condition: Condition): Condition {
  if (isKnownCondition(condition, store())) return condition
  const near = findSimilarConditions(condition)
  return (near.length === 1 ? near[0] : undefined) ?? condition
}

function findSimilarConditions(condition: Condition): Condition[] {
  return findSimilarOperands(condition)
    .slice(0, MAX_SIMILAR_ITEMS)
    .map((operand) => ({ ...condition, operand }))
    .filter((one) => isKnownCondition(one, store()))
}

function findSimilarOperands({ operator, operand }: Condition): readonly string[] {
  const words = findSimilarItems(VALUES_BY_OPERATOR[operator] ?? [], operand, (word) => word)
  switch (operator) {
    case 'from':
    case 'sender':
    case 'dm':
    case 'dm-including':
      return peopleNamed(operand.replace(/^@/, ''))
    case 'channel':
      return channelsNamed(operand)
    case 'in':
      return [
        ...words,
        ...(operand.startsWith('@') ? [] : channelsNamed(operand.replace(/^#/, ''))).map((name) => `#${name}`),
        ...(operand.startsWith('#') ? [] : peopleNamed(operand.replace(/^@/, ''))).map((name) => `@${name}`),
      ]
    case 'before':
    case 'after':
    case 'on':
    case 'date':
      return findSimilarItems(namedPeriods(), operand, ({ name }) => name).map(formatPeriod)
    default:
      return words
  }
}

function peopleNamed(typed: string): readonly string[] {
  return findItems(familiarPeople.value, typed, ({ full_name: name }) => name).map(({ user_id: id }) =>
    uniqueNameOrEmail(id),
  )
}

function channelsNamed(typed: string): readonly string[] {
  return findItems(allChannels(), typed, ({ name }) => name).map(({ name }) => name)
}
