import { ApiError } from '../../../kernel/refusal.ts'
import { INTEGRATIONS, type ListedIntegration } from '../contract/catalog.ts'

export function integrationOf(wanted: string): ListedIntegration {
  const listed = INTEGRATIONS.find(({ name }) => name === wanted)
  if (listed === undefined) throw new ApiError('NOT_FOUND', 'No such integration')
  return listed
}

export function noSignature({ displayName }: ListedIntegration): ApiError {
  return new ApiError('BAD_REQUEST', `${displayName} does not sign its requests.`)
}

export function isEventWanted(
  event: string | undefined,
  only: readonly string[] | undefined,
  except: readonly string[] | undefined,
): boolean {
  if (event === undefined) return true
  if (only !== undefined && !only.some((pattern) => matchesPattern(event, pattern))) return false
  return except?.some((pattern) => matchesPattern(event, pattern)) !== true
}

/** Takes linear time. */
function matchesPattern(event: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return event === pattern
  if (!event.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = event.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return event.length - last.length >= at && event.endsWith(last)
}
