import { analyse } from 'scslre'
import { parseSync } from 'vite'
import type { Source } from './architecture/sources.ts'

export interface Expression {
  readonly path: string
  readonly source: string
  readonly flags: string
}

export interface FoundExpressions {
  readonly expressions: readonly Expression[]
  readonly made: readonly { readonly path: string; readonly code: string }[]
}

interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
  readonly start?: number
  readonly end?: number
}

export function expressionsIn(sources: readonly Source[]): FoundExpressions {
  const expressions: Expression[] = []
  const made: FoundExpressions['made'][number][] = []
  for (const { path, text } of sources) {
    for (const node of nodesOf(parseSync(path, text).program)) {
      if (node.regex !== undefined) expressions.push({ path, source: node.regex.pattern, flags: node.regex.flags })
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
      if (isCall && node.callee?.name === 'RegExp') made.push({ path, code: text.slice(node.start, node.end) })
    }
  }
  return { expressions, made }
}

export function* nodesOf(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  yield node
  for (const member of Object.values(node)) yield* nodesOf(member)
}

/**
 * Explains why an expression can take superlinear time. A repetition must not be followed by a similar one (`a*b*a*`),
 * contain itself (`(a*)*`), or restart at each position (`a*b`).
 */
export function superlinearReason({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | undefined {
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports
  return report && `/${source}/${flags} rescans a text that repeats ${report.character.literal.source}`
}
