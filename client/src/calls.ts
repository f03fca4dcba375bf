import type { Answer, Endpoint, InputOf } from './types.ts'

export type Credentials = KeyCredentials | SessionCredentials

export interface KeyCredentials {
  /** Without a trailing slash. */
  readonly url: string
  readonly email: string
  readonly apiKey: string
}

/** A signed-in browser. Its cookie, which scripts cannot read, identifies the account. */
export interface SessionCredentials {
  /** Usually empty, for URLs relative to the page; otherwise the server's origin, without a trailing slash. */
  readonly url: string
  /** Called when a call finds that the browser is no longer signed in. */
  onSignedOut?: () => void
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Whether the request can finish after the page closes. */
  readonly keepalive?: boolean | undefined
  readonly file?: File | undefined
  /** Response to this request if it was already sent; undefined if the server was unreachable. */
  readonly prefetched?: Promise<Response | undefined> | undefined
  /** Called before a read returns, with the log position of the response. */
  readonly onPosition?: ((position: number) => void) | undefined
}

/** `fetch` reports header names in lower case. */
const POSITION_HEADER = 'parley-position'

/** Highest log position seen by each caller, sent with every request so that no node answers from an older state. */
const seenPositions = new WeakMap<Credentials, number>()

/** Records that the caller has seen the log up to a position. Later calls send this position. */
export function recordSeenPosition(credentials: Credentials, position: number): void {
  if (position > (seenPositions.get(credentials) ?? 0)) seenPositions.set(credentials, position)
}

/** A refused request, built from the error envelope. `code` is empty if the response did not come from the API. */
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

/**
 * Calls an endpoint by its declaration: `await call(credentials, messages.sendMessage, { type: 'stream', … })`.
 * @throws ApiError when the server refuses or a proxy answers; TypeError when the server is unreachable
 */
export async function call<E extends Endpoint>(
  credentials: Credentials,
  endpoint: E,
  input: InputOf<E>,
  { signal, keepalive, file, prefetched, onPosition }: CallOptions = {},
): Promise<Answer<E>> {
  const { path, parameters } = fillPath(endpoint, input)
  const inQuery = endpoint.method === 'GET' || endpoint.isWebhook === true
  const query = inQuery && parameters.length > 0 ? `?${new URLSearchParams(parameters).toString()}` : ''
  const logged = authorizationOptions(credentials)
  const at = seenPositions.get(credentials)
  const ask = async (): Promise<Response> =>
    fetch(`${credentials.url}/api/v1${path}${query}`, {
      method: endpoint.method,
      ...(at === undefined ? logged : { ...logged, headers: { ...logged.headers, [POSITION_HEADER]: String(at) } }),
      ...(inQuery ? {} : { body: encodeBody(endpoint, parameters, file) }),
      signal: signal ?? null,
      keepalive: keepalive ?? false,
    })
  const response = prefetched === undefined ? await ask() : ((await prefetched) ?? (await ask()))
  const body = await answerOf(response).catch((error: unknown) => {
    const isSignedOut = error instanceof ApiError && error.code === 'UNAUTHENTICATED_USER'
    if (isSignedOut && 'onSignedOut' in credentials) credentials.onSignedOut?.()
    throw error
  })
  const position = Number(response.headers.get(POSITION_HEADER))
  if (position > 0) {
    recordSeenPosition(credentials, position)
    if (endpoint.method === 'GET') onPosition?.(position)
  }
  return body as Answer<E>
}

function fillPath({ path }: Endpoint, input: object): { path: string; parameters: [string, string][] } {
  const rest = new Map<string, unknown>(Object.entries(input))
  const filled = path.replace(/:(\w+)(\*?)/g, (_, name: string, takesRest: string) => {
    const value = String(rest.get(name))
    rest.delete(name)
    return takesRest === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/')
  })
  const parameters = [...rest]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  return { path: filled, parameters }
}

export function authorizationOptions(credentials: Credentials): {
  credentials: 'same-origin' | 'omit'
  headers?: Record<string, string>
} {
  if (!('apiKey' in credentials)) return { credentials: 'same-origin' }
  const { email, apiKey } = credentials
  // Cookies could identify another account. Without the Parley-Client header, `PARLEY_API_NAMES` would rename fields.
  return {
    credentials: 'omit',
    headers: { authorization: `Basic ${btoa(`${email}:${apiKey}`)}`, 'parley-client': '1' },
  }
}

function encodeBody(
  endpoint: Endpoint,
  parameters: [string, string][],
  file: File | undefined,
): FormData | URLSearchParams {
  // Picture endpoints accept requests without a file, because a bot can keep its picture or have none.
  if (endpoint.file === 'upload' && file === undefined) throw new TypeError(`${endpoint.path} needs a file`)
  if (endpoint.file === undefined && file !== undefined) throw new TypeError(`${endpoint.path} takes no file`)
  if (file === undefined) return new URLSearchParams(parameters)
  const form = new FormData()
  for (const [name, value] of parameters) form.set(name, value)
  form.set('file', file)
  return form
}

/** Parses a successful API response. @throws ApiError if the request failed */
export async function answerOf(response: Response): Promise<Record<string, unknown>> {
  const body = await parseJsonObject(response)
  if (body === undefined || !response.ok) throw new ApiError(response.status, body ?? {})
  return body
}

/** Undefined if the body is not a JSON object, such as a proxy's error page. */
async function parseJsonObject(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
