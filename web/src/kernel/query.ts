/* Syntax of the search field: conditions such as `channel:design`, `-is:starred`, or `topic:"a \"b\" c"`, and words. */

/** In the order in which they are suggested. The API has no operators for dates, and only some values of `in`. */
export const OPERATORS = [
  'from',
  'in',
  'topic',
  'before',
  'after',
  'on',
  'has',
  'is',
  'channel',
  'sender',
  'dm',
  'dm-including',
  'channels',
  'order',
  'near',
  'date',
  'id',
] as const
export type Operator = (typeof OPERATORS)[number]

export interface Condition {
  readonly operator: Operator
  readonly operand: string
  readonly isNegated: boolean
}

export interface Query {
  readonly conditions: readonly Condition[]
  readonly words: string
}

export function writeQuery({ conditions, words }: Query): string {
  return [...conditions.map(writeCondition), words.trim()].filter((piece) => piece !== '').join(' ')
}

export function writeCondition({ operator, operand, isNegated }: Condition): string {
  const isBare = /^[^\s"\\]+$/.test(operand)
  return `${isNegated ? '-' : ''}${operator}:${isBare ? operand : `"${operand.replaceAll(/["\\]/g, String.raw`\$&`)}"`}`
}
