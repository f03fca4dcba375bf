import type * as z from 'zod/mini'
import type { ErrorCode } from './refusal.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Restricted credentials that an endpoint accepts. */
export interface Access {
  /** Accepts incoming webhook bots, which can only write. */
  readonly forWriteOnlyBots?: true
  /** Accepts API tokens: all of them for `reading`, those that are not read-only for `writing`. Absent: none. */
  readonly forTokens?: 'reading' | 'writing'
  /** Also accepts tokens limited to channels. The handler checks each conversation against the token's scope. */
  readonly forChannelTokens?: true
}

/**
 * Declares one API endpoint. Parsing, `ignored_parameters_unsupported`, types for handler and client, OpenAPI, the
 * reference page, and test checks are all derived from it.
 */
export interface Endpoint<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends z.ZodMiniObject = z.ZodMiniObject,
> extends Access {
  readonly id: string
  readonly method: Method
  /**
   * Relative to `/api/v1`; parameters as `:name`. Integer parameters match only digits; a final `:name*` matches the
   * rest of the path, including slashes.
   */
  readonly path: string
  readonly summary: string
  /** Facts about the endpoint beyond its parameters, in a sentence or two. */
  readonly description?: string
  /** The feature level that introduced it; 0 for the original endpoints. */
  readonly since: number
  readonly input: Input
  /** Response fields besides `result`, `msg`, and `ignored_parameters_unsupported`. */
  readonly output: Output
  /** Codes besides those of every endpoint (parameters, login, rate limits). */
  readonly errors: readonly ErrorCode[]
  /** `none`: needs no credentials. `optional`: returns less without credentials. */
  readonly authentication?: 'required' | 'optional' | 'none'
  /** Also answers at hosts without an organization. */
  readonly withoutOrganization?: true
  /**
   * Rate limit per address without credentials, for endpoints that are expensive or create things. Applies in addition
   * to the general limit of the address, or in its place (`isApart`).
   */
  readonly ratePerAddress?: RatePerAddress
  /**
   * For services that send any body to a configured URL. Parameters are in the URL, including a bot's `api_key`, and
   * the handler gets the raw body.
   */
  readonly isWebhook?: true
  /** Takes one multipart file under any name. A picture has a lower size limit than other files. */
  readonly file?: 'upload' | 'picture'
  /** Clients that accept `text/event-stream` get a streamed response. */
  readonly stream?: Stream
  /** Deprecated parameter names and their replacements, for example `{ subject: 'topic' }`. */
  readonly aliases?: Readonly<Record<string, string>>
}

export interface RatePerAddress {
  readonly count: number
  readonly seconds: number
  /**
   * Does not count toward the general limit of the address. For requests that signed-out pages make on their own:
   * otherwise opening these pages could keep an office behind one address from signing in.
   */
  readonly isApart?: true
}

/** For cheap public reads that signed-out pages make on their own. */
export const READ_BY_PAGES: RatePerAddress = { count: 600, seconds: 60, isApart: true }

/** Options of a streaming endpoint, which sends the items of one list as they occur. */
export interface Stream {
  /** The response field with the list. Each item has an `id`. */
  readonly each: string
  /** The integer parameter after whose ID the list starts; the header `Last-Event-ID` takes precedence. */
  readonly after: string
}

export function endpoint<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  declaration: Endpoint<Input, Output>,
): Endpoint<Input, Output> {
  return declaration
}

/** Parsed parameters with defaults, as a handler receives them. */
export type Input<E extends Endpoint> = z.output<E['input']>

/** The fields a handler returns. */
export type Output<E extends Endpoint> = z.input<E['output']>
