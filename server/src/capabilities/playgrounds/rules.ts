import { ApiError } from '../../kernel/refusal.ts'
import { templateVariables } from '../../platform/markdown/linkifiers.ts'
import type { Playground } from './contract.ts'

const LANGUAGE_PATTERN = /^[\w+#./ -]+$/
/** Clients open the resulting URL, so a variable must not be able to turn it into a script. */
const WEB_ADDRESS_START = /^https?:\/\/[^/?#\s]/i

export function validPlayground(input: Omit<Playground, 'id'>): Omit<Playground, 'id'> {
  const name = input.name.trim()
  const highlighter_language = input.highlighter_language.trim()
  const url_template = input.url_template.trim()
  if (name === '') throw new ApiError('BAD_REQUEST', 'Name cannot be empty.')
  if (!LANGUAGE_PATTERN.test(highlighter_language)) throw new ApiError('BAD_REQUEST', 'Invalid name of a language.')
  const variables = templateVariables(url_template)
  if (variables === undefined || !WEB_ADDRESS_START.test(url_template)) {
    throw new ApiError('BAD_REQUEST', 'Invalid URL template.')
  }
  if (!variables.includes('code')) {
    throw new ApiError('BAD_REQUEST', 'The URL template must contain the variable "code".')
  }
  if (new Set(variables).size > 1) {
    throw new ApiError('BAD_REQUEST', 'The URL template can use only the variable "code".')
  }
  return { name, highlighter_language, url_template }
}
