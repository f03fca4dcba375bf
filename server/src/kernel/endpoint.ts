import type * as z from 'zod/mini'
import type { ErrorCode } from './refusal.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Access {
  readonly forWriteOnlyBots?: true
  /** `writing` excludes read-only tokens. If absent, all tokens are refused. */
  readonly forTokens?: 'reading' | 'writing'
  /** Accepts tokens limited to channels, because the handler checks each conversation against the token's scope. */
  readonly forChannelTokens?: true
  /** Also answers spectators of organizations with web-public channels. The handler gets `SPECTATOR` as the actor. */
  readonly forSpectators?: true
}

/** Declaration from which parsing, types of handlers and clients, OpenAPI, the reference page, and checks derive. */
export interface Endpoint<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends z.ZodMiniObject = z.ZodMiniObject,
  Verb extends Method = Method,
  Path extends string = string,
> extends Access {
  readonly id: string
  readonly method: Verb
  /** Relative to `/api/v1`. Integer parameters `:name` match only digits; a final `:name*` matches the rest. */
  readonly path: Path
  readonly summary: string
  readonly description?: string
  /** Feature level; 0 for the original endpoints. */
  readonly since: number
  readonly input: Input
  /** Response fields besides `result`, `msg`, and `ignored_parameters_unsupported`. */
  readonly output: Output
  /** Errors besides those that all endpoints have in common (parameters, login, rate limits). */
  readonly errors: readonly ErrorCode[]
  /** `optional`: requests without credentials are accepted, but return less. */
  readonly authentication?: 'required' | 'optional' | 'none'
  readonly withoutOrganization?: true
  /** Limit on requests without credentials. With `isApart`, it replaces the address's general limit. */
  readonly ratePerAddress?: RatePerAddress
  /** The body can have any content. Parameters are in the URL, including a bot's `api_key`. */
  readonly isWebhook?: true
  /** Accepts one multipart file under any field name. `picture` has a lower size limit. */
  readonly file?: 'upload' | 'picture'
  /** Streams the response to clients that accept `text/event-stream`. */
  readonly stream?: StreamDeclaration
  /** Current names by deprecated name, for example `{ subject: 'topic' }`. */
  readonly aliases?: Readonly<Record<string, string>>
}

export interface RatePerAddress {
  readonly count: number
  readonly seconds: number
  /** Excludes requests from the address's general limit, so that signed-out pages never block an office's sign-ins. */
  readonly isApart?: true
}

/** Limits on the requests to all endpoints, for all files, and for all pages, of the spectators at an address. */
export const SPECTATOR_RATES = {
  requests: { count: 300, seconds: 60 },
  files: { count: 1_200, seconds: 60 },
  pages: { count: 600, seconds: 60 },
} as const

/** Limit on cheap public reads, which signed-out pages make automatically. */
export const PUBLIC_READ_RATE: RatePerAddress = { count: 600, seconds: 60, isApart: true }

export interface StreamDeclaration {
  /** Name of the response field with the list to stream. Each item has an `id`. */
  readonly each: string
  /** Name of the parameter with the ID after which to start. The header `Last-Event-ID` takes precedence. */
  readonly after: string
}

export function endpoint<
  Input extends z.ZodMiniObject,
  Output extends z.ZodMiniObject,
  Verb extends Method,
  Path extends string,
>(declaration: Endpoint<Input, Output, Verb, Path>): Endpoint<Input, Output, Verb, Path> {
  return declaration
}

export type Input<E extends Endpoint> = z.output<E['input']>

export type Output<E extends Endpoint> = z.input<E['output']>
