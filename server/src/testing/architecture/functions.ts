import { parseSync } from 'vite'
import { nodesOf } from '../expressions.ts'
import type { Source } from './sources.ts'

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

interface LongFunction {
  readonly line: number
  readonly lines: number
}

export function functionsLongerThan(maxLines: number, { path, text }: Source): LongFunction[] {
  if (lineAt(text, text.length) <= maxLines) return []
  return [...nodesOf(parseSync(path, text).program)].flatMap(({ type = '', start = 0, end = 0 }) => {
    if (!FUNCTIONS.includes(type)) return []
    const line = lineAt(text, start)
    const lines = lineAt(text, end) - line + 1
    return lines > maxLines ? [{ line, lines }] : []
  })
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
