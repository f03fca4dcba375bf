import { ApiError, call, type Answer, type CallOptions } from '@parley/client'
import type { Endpoint } from '@parley/server/kernel/endpoint'
import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'
import { SESSION } from './sync/sync.ts'

const pendingChanges = new Set<Promise<unknown>>()

export function trackChange<Value>(change: Promise<Value>): Promise<Value> {
  const end = (): void => void pendingChanges.delete(change)
  pendingChanges.add(change)
  change.then(end, end)
  return change
}

export function hasPendingChanges(): boolean {
  return pendingChanges.size > 0
}

/** Shows a toast on failure. @returns undefined on failure */
export async function callOrToast<E extends Endpoint>(
  endpoint: E,
  input: Parameters<typeof call<E>>[2],
  options: CallOptions = {},
): Promise<Answer<E> | undefined> {
  try {
    const asked = call(SESSION, endpoint, input, options)
    return await (endpoint.method === 'GET' ? asked : trackChange(asked))
  } catch (error) {
    toast(reasonOf(error))
    return undefined
  }
}

export class UserFacingError extends Error {
  override readonly name = 'UserFacingError'
}

let refusalTranslator: (sentence: string) => string | undefined = () => undefined

export function setRefusalTranslator(by: typeof refusalTranslator): void {
  refusalTranslator = by
}

export function reasonOf(error: unknown): string {
  if (error instanceof UserFacingError) return error.message
  if (error instanceof ApiError && error.code !== '') return errorText(error) ?? error.message
  return error instanceof TypeError ? t().errors.network : t().errors.generic
}

function errorText({ code, message }: ApiError): string | undefined {
  // No field contains the administrators' comment, so this reads it from the error message.
  const [, comment] = /Message from the administrators: (.*)/s.exec(message) ?? []
  if (code === 'USER_DEACTIVATED' && comment !== undefined) return t().errors.deactivatedBecause(comment)
  const texts: Readonly<Record<string, string | undefined>> = t().errors.codes
  return texts[code] ?? refusalTranslator(message)
}
