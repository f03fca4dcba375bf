import { findLinkifierProblem, type LinkifierProblem } from '../../platform/markdown/linkifiers/compile.ts'
import type { Linkifier } from './contract.ts'

export type Pattern = Pick<Linkifier, 'pattern' | 'url_template'>

/** Prevents scripts, regardless of the text that a message inserts for the variables. */
const SAFE_BEGINNING = /^(?:(?!javascript:|vbscript:|data:|file:)[a-z][a-z0-9+.-]*:|\/)/i

export async function problemOf(wanted: Pattern): Promise<string | undefined> {
  const problem = SAFE_BEGINNING.test(wanted.url_template)
    ? await findLinkifierProblem(wanted)
    : ({ problem: 'invalid template' } as const)
  return problem === undefined ? undefined : sentenceOf(problem)
}

function sentenceOf(problem: LinkifierProblem): string {
  switch (problem.problem) {
    case 'invalid pattern':
      return 'Bad regular expression'
    case 'invalid template':
      return 'Invalid URL template.'
    case 'group not in template':
      return `Group '${problem.name}' in linkifier pattern is not present in URL template.`
    case 'variable not in pattern':
      return `Group '${problem.name}' in URL template is not present in linkifier pattern.`
  }
}
