import type * as z from 'zod/mini'
import type { ErrorCode } from './refusal.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Access {
  readonly forWriteOnlyBots?: true
  /** `writing` excludes read-only tokens. If absent, all tokens are refused. */
  readonly forTokens?: 'reading' | 'writing'
  /** Accepts tokens limited to channels, because the handler checks each conversation against the token's scope. */
  readonly forChannelTokens?: true
}

/** Declares an endpoint: parsing, handler and client types, OpenAPI, the reference page, and checks derive from it. */
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
  /** Fields besides `result`, `msg`, and `ignored_parameters_unsupported`. */
  readonly output: Output
  /** Errors besides those of every endpoint (parameters, login, rate limits). */
  readonly errors: readonly ErrorCode[]
  /** `optional` returns less without credentials. */
  readonly authentication?: 'required' | 'optional' | 'none'
  readonly withoutOrganization?: true
  /** Limit of requests without credentials. With `isApart`, it replaces the general limit of the address. */
  readonly ratePerAddress?: RatePerAddress
  /** The body can have any content. Parameters are in the URL, including a bot's `api_key`. */
  readonly isWebhook?: true
  /** One multipart file under any name. A picture has a lower size limit. */
  readonly file?: 'upload' | 'picture'
  /** Streams for clients that accept `text/event-stream`. */
  readonly stream?: Stream
  /** Current names by deprecated name, for example `{ subject: 'topic' }`. */
  readonly aliases?: Readonly<Record<string, string>>
}

export interface RatePerAddress {
  readonly count: number
  readonly seconds: number
  /** Excludes requests from the address's general limit, so that signed-out pages never block an office's sign-ins. */
  readonly isApart?: true
}

/** Limit of public reads that cost little and that signed-out pages make automatically. */
export const READ_BY_PAGES: RatePerAddress = { count: 600, seconds: 60, isApart: true }

export interface Stream {
  /** Each item has an `id`. */
  readonly each: string
  /** The list starts after this ID; the header `Last-Event-ID` takes precedence. */
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
