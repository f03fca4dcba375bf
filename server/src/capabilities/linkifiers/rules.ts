import { findLinkifierProblem, type LinkifierProblem } from '../../platform/markdown/linkifiers.ts'
import type { Linkifier } from './contract.ts'

export type LinkifierPattern = Pick<Linkifier, 'pattern' | 'url_template'>

/** Prevents scripts, regardless of the text that a message inserts for the variables. */
const SAFE_URL_START = /^(?:(?!javascript:|vbscript:|data:|file:)[a-z][a-z0-9+.-]*:|\/)/i

export async function linkifierProblem(wanted: LinkifierPattern): Promise<string | undefined> {
  const problem = SAFE_URL_START.test(wanted.url_template)
    ? await findLinkifierProblem(wanted)
    : ({ problem: 'invalid template' } as const)
  return problem === undefined ? undefined : problemMessage(problem)
}

function problemMessage(problem: LinkifierProblem): string {
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
