import { ApiError, call, type Answer, type CallOptions } from '@parley/client'
import type { Endpoint } from '@parley/server/kernel/endpoint'
import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'
import { SESSION } from './sync/sync.ts'

/** What the server is being asked to change. */
const changing = new Set<Promise<unknown>>()

/** Notes a request for a change until it is answered. */
export function noted<Value>(change: Promise<Value>): Promise<Value> {
  const end = (): void => void changing.delete(change)
  changing.add(change)
  change.then(end, end)
  return change
}

/** Whether the server is being asked to change something. */
export function isChanging(): boolean {
  return changing.size > 0
}

/**
 * Calls an endpoint for what a person asked for, and says it when that fails.
 * @returns undefined when it failed
 */
export async function ask<E extends Endpoint>(
  endpoint: E,
  input: Parameters<typeof call<E>>[2],
  options: CallOptions = {},
): Promise<Answer<E> | undefined> {
  try {
    const asked = call(SESSION, endpoint, input, options)
    return await (endpoint.method === 'GET' ? asked : noted(asked))
  } catch (error) {
    toast(reasonOf(error))
    return undefined
  }
}

/** What was refused, in words for the one who asked already. */
export class Told extends Error {
  override readonly name = 'Told'
}

/** Finds the words of the reader's language for what the server said. They come a moment after the client. */
let translate: (sentence: string) => string | undefined = () => undefined

export function translateRefusals(by: typeof translate): void {
  translate = by
}

/** Why a request failed, in words for the one who asked: of their language, where it has some for what the server says. */
export function reasonOf(error: unknown): string {
  if (error instanceof Told) return error.message
  if (error instanceof ApiError && error.code !== '') return textOf(error) ?? error.message
  return error instanceof TypeError ? t().errors.network : t().errors.generic
}

function textOf({ code, message }: ApiError): string | undefined {
  // What administrators say stands in the message alone.
  const [, comment] = /The administrators say: (.*)/s.exec(message) ?? []
  if (code === 'USER_DEACTIVATED' && comment !== undefined) return t().errors.deactivatedBecause(comment)
  const texts: Readonly<Record<string, string | undefined>> = t().errors.codes
  return texts[code] ?? translate(message)
}
