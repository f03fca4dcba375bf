/* Syntax of the search field: conditions such as `channel:design`, `-is:starred`, or `topic:"a \"b\" c"`, and words. */

/** All except `date` are also API operators. */
export const OPERATORS = [
  'channel',
  'topic',
  'sender',
  'dm',
  'dm-including',
  'is',
  'has',
  'in',
  'channels',
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
