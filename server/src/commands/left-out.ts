import type { LeftOut } from '../platform/moving/manifest.ts'

/** What people are told of what could not be carried. */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  if (leftOut.length === 0) return ['Nothing was left out.']
  return [
    'Left out, or otherwise than before:',
    ...leftOut.flatMap(({ what, count, examples }) => [
      `  ${count.toLocaleString('en').padStart(7)}  ${what}`,
      ...examples.map((example) => `           such as ${example}`),
    ]),
  ]
}
