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

const QUERY_PIECE = /(-?)([a-z-]+):(?:"((?:[^"\\]|\\.)*)"|([^\s"]\S*))|-?"[^"]*"|\S+/g

export function readQuery(text: string): Query {
  const conditions: Condition[] = []
  const words: string[] = []
  for (const [piece, minus = '', name = '', quoted, bare] of text.matchAll(QUERY_PIECE)) {
    const operator = OPERATORS.find((one) => one === name)
    const operand = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''
    if (operator === undefined || operand === '') words.push(piece)
    else conditions.push({ operator, operand, isNegated: minus === '-' })
  }
  return { conditions, words: words.join(' ') }
}

export function writeQuery({ conditions, words }: Query): string {
  return [...conditions.map(writeCondition), words.trim()].filter((piece) => piece !== '').join(' ')
}

export function writeCondition({ operator, operand, isNegated }: Condition): string {
  const isBare = /^[^\s"\\]+$/.test(operand)
  return `${isNegated ? '-' : ''}${operator}:${isBare ? operand : `"${operand.replaceAll(/["\\]/g, String.raw`\$&`)}"`}`
}

export function canNegate({ operator }: Pick<Condition, 'operator'>): boolean {
  return operator !== 'near' && operator !== 'date'
}
