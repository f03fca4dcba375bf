import type { Endpoint, Output } from '@parley/server/kernel/endpoint'
import type * as z from 'zod/mini'

/** Who calls, and where. */
export interface Credentials {
  /** Without a slash at the end. */
  readonly url: string
  readonly email: string
  readonly apiKey: string
}

/** A refused request: the error envelope as an exception. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body['msg'] === 'string' ? body['msg'] : `HTTP status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = typeof body['code'] === 'string' ? body['code'] : ''
    this.body = body
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Called before the answer of a read is returned, with the position of the log that it says it was read at. */
  readonly onPosition?: (position: number) => void
}

/** In lower case, as `fetch` has it. */
const POSITION_HEADER = 'parley-position'

type Answer<E extends Endpoint> = Output<E> & { ignored_parameters_unsupported?: string[] }

/**
 * Calls an endpoint by its declaration: `await call(credentials, messages.sendMessage, { type: 'stream', … })`.
 * @throws ApiError when the server refuses; TypeError when it cannot be reached
 */
export async function call<E extends Endpoint>(
  credentials: Credentials,
  endpoint: E,
  input: z.input<E['input']>,
  options: CallOptions = {},
): Promise<Answer<E>> {
  const rest = new Map(Object.entries(input))
  const path = endpoint.path.replace(/:(\w+)(\*?)/g, (_, name: string, takesRest: string) => {
    const value = String(rest.get(name))
    rest.delete(name)
    return takesRest === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/')
  })
  const form = new URLSearchParams()
  for (const [name, value] of rest) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const inQuery = endpoint.method === 'GET'
  const query = inQuery && form.size > 0 ? `?${form.toString()}` : ''
  const response = await fetch(`${credentials.url}/api/v1${path}${query}`, {
    method: endpoint.method,
    headers: { authorization: `Basic ${btoa(`${credentials.email}:${credentials.apiKey}`)}` },
    ...(inQuery ? {} : { body: form }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  // Every answer of the API is a JSON object; what it holds is what the endpoint declares.
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new ApiError(response.status, body)
  const position = response.headers.get(POSITION_HEADER)
  if (position !== null) options.onPosition?.(Number(position))
  return body as Answer<E>
}
