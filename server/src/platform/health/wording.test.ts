import { expect, it } from 'vitest'
import { PROBLEM_CODES, wrongFinding } from '../../kernel/finding.ts'
import { describeFinding } from './wording.ts'

it("uses the singular for a count of one in every problem's text", () => {
  const plural = /\b1 (?:more )?(?!is\b|was\b|ms\b)[a-z]+s\b|\b1 (?!of\b|MiB\b)(?:\S+ ){1,4}(?:are|were|have)\b/
  const sentences = PROBLEM_CODES.map((trouble) =>
    describeFinding(wrongFinding('database', trouble, 1, 'what else is known')),
  )
  expect(sentences.filter((sentence) => plural.test(sentence))).toEqual([])
  expect(describeFinding(wrongFinding('work', 'removals_left', 1))).toBe('1 organization was only partly deleted.')
  expect(describeFinding(wrongFinding('work', 'removals_left', 1200))).toBe(
    '1,200 organizations were only partly deleted.',
  )
  const few = describeFinding(wrongFinding('database_settings', 'database_connections_few', 12))
  expect(few).toBe('The database accepts only 12 more connections. Each server uses up to 13.')
})
