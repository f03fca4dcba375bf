import type { Answer, Endpoint, InputOf } from './types.ts'

/** Who calls, and where. */
export type Credentials = KeyCredentials | SessionCredentials

export interface KeyCredentials {
  /** Without a slash at the end. */
  readonly url: string
  readonly email: string
  readonly apiKey: string
}

/** A browser that is signed in: its cookie, which no script can read, says which account calls. */
export interface SessionCredentials {
  /** Of the page's own origin, without a slash at the end; usually empty. */
  readonly url: string
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The request goes on when the page that asks is closed. */
  readonly keepalive?: boolean | undefined
  /** For endpoints that take a file. */
  readonly file?: File | undefined
  /** What the server answers to the same request where it was asked before; undefined where it could not be reached. */
  readonly coming?: Promise<Response | undefined> | undefined
  /** Called before the answer of a read is returned, with the position of the log that it says it was read at. */
  readonly onPosition?: ((position: number) => void) | undefined
}

/** In lower case, as `fetch` has it. */
const POSITION_HEADER = 'parley-position'

/** The highest position of the log that each login was told: another server of the same organization must not know less. */
const seen = new WeakMap<Credentials, number>()

/** Has the calls of a login say that the client knows everything up to a position of the log. */
export function noteSeen(credentials: Credentials, position: number): void {
  if (position > (seen.get(credentials) ?? 0)) seen.set(credentials, position)
}

/** A refused request: the error envelope as an exception. The code is empty where what answered is not the API. */
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
 * @throws ApiError when the server refuses, or something else answers; TypeError when it cannot be reached
 */
export async function call<E extends Endpoint>(
  credentials: Credentials,
  endpoint: E,
  input: InputOf<E>,
  { signal, keepalive, file, coming, onPosition }: CallOptions = {},
): Promise<Answer<E>> {
  const { path, parameters } = placed(endpoint, input)
  const inQuery = endpoint.method === 'GET' || endpoint.isWebhook === true
  const query = inQuery && parameters.length > 0 ? `?${new URLSearchParams(parameters).toString()}` : ''
  const logged = login(credentials)
  const at = seen.get(credentials)
  const ask = async (): Promise<Response> =>
    fetch(`${credentials.url}/api/v1${path}${query}`, {
      method: endpoint.method,
      ...(at === undefined ? logged : { ...logged, headers: { ...logged.headers, [POSITION_HEADER]: String(at) } }),
      ...(inQuery ? {} : { body: bodyOf(endpoint, parameters, file) }),
      signal: signal ?? null,
      keepalive: keepalive ?? false,
    })
  const response = coming === undefined ? await ask() : ((await coming) ?? (await ask()))
  const body = await answerOf(response)
  const position = Number(response.headers.get(POSITION_HEADER))
  if (position > 0) {
    noteSeen(credentials, position)
    if (endpoint.method === 'GET') onPosition?.(position)
  }
  // What the answer holds is what the endpoint declares.
  return body as Answer<E>
}

/** The parameters of a request, as texts, and its path, which takes some of them. */
function placed({ path }: Endpoint, input: object): { path: string; parameters: [string, string][] } {
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

/** What says who calls. */
export function login(credentials: Credentials): {
  credentials: 'same-origin' | 'omit'
  headers?: Record<string, string>
} {
  if (!('apiKey' in credentials)) return { credentials: 'same-origin' }
  const { email, apiKey } = credentials
  // A cookie of the browser would name an account as well, perhaps another one.
  // Without the header Parley-Client, a server for existing clients (`PARLEY_API_NAMES`) answers in other words than the declarations have.
  return {
    credentials: 'omit',
    headers: { authorization: `Basic ${btoa(`${email}:${apiKey}`)}`, 'parley-client': '1' },
  }
}

function bodyOf(
  endpoint: Endpoint,
  parameters: [string, string][],
  file: File | undefined,
): FormData | URLSearchParams {
  // What takes a picture may do without: a bot has one of its own, or none.
  if (endpoint.file === 'upload' && file === undefined) throw new TypeError(`${endpoint.path} needs a file`)
  if (endpoint.file === undefined && file !== undefined) throw new TypeError(`${endpoint.path} takes no file`)
  if (file === undefined) return new URLSearchParams(parameters)
  const form = new FormData()
  for (const [name, value] of parameters) form.set(name, value)
  form.set('file', file)
  return form
}

/** The answer of the API, where it succeeded. @throws ApiError where it did not */
export async function answerOf(response: Response): Promise<Record<string, unknown>> {
  const body = await objectOf(response)
  if (body === undefined || !response.ok) throw new ApiError(response.status, body ?? {})
  return body
}

/** The answer of the API, which is a JSON object; undefined where something else answers, such as a proxy's page. */
async function objectOf(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
