import type * as z from 'zod/mini'
import type { ErrorCode } from './refusal.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** To which credentials something is open that open only some of what their account may. */
export interface Access {
  /** Open to incoming webhook bots too, which may only write. */
  readonly forWriteOnlyBots?: true
  /**
   * Open to API tokens: to all where it is for `reading`, and to those that are not read-only where it is for `writing`. What does not say
   * so is closed to them.
   */
  readonly forTokens?: 'reading' | 'writing'
  /** Open also to tokens that are limited to channels. What handles it asks of each place whether it is in the scope. */
  readonly forChannelTokens?: true
}

/**
 * Declares one endpoint of the API. From this come parsing, `ignored_parameters_unsupported`, the types of
 * handler and client, OpenAPI, the reference page and the checks in tests.
 */
export interface Endpoint<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends z.ZodMiniObject = z.ZodMiniObject,
> extends Access {
  readonly id: string
  readonly method: Method
  /**
   * Below `/api/v1`; parameters as `:name`. An integer parameter matches digits only; `:name*` at the end takes the
   * rest of the path, slashes and all.
   */
  readonly path: string
  readonly summary: string
  /** What a client has to know about the endpoint beside its parameters, in a sentence or two. */
  readonly description?: string
  /** The feature level that introduced it; 0 when it has always been there. */
  readonly since: number
  readonly input: Input
  /** The fields beside `result`, `msg` and `ignored_parameters_unsupported`. */
  readonly output: Output
  /** Codes beside those that every endpoint can answer (missing and invalid parameters, login, rate limits). */
  readonly errors: readonly ErrorCode[]
  /** `none`: the endpoint needs no credentials. `optional`: a request without credentials gets a smaller answer. */
  readonly authentication?: 'required' | 'optional' | 'none'
  /** Answers at host names, too, at which there is no organization. */
  readonly withoutOrganization?: true
  /**
   * How often a network address may ask without credentials: for what costs more than others, or makes something that others need. It
   * is beside the limit of all requests of the address, or in its place (`isApart`).
   */
  readonly ratePerAddress?: RatePerAddress
  /**
   * For services that send what they like, to an address that somebody gave them: the parameters stand in the address, among them
   * `api_key` in place of a header where it is a bot's, and the body reaches the handler as it came.
   */
  readonly isWebhook?: true
  /** Takes one file, as a part of a multipart body under any name: of any kind, or a picture, which may be smaller. */
  readonly file?: 'upload' | 'picture'
  /** A client that accepts `text/event-stream` gets an answer that stays open. */
  readonly stream?: Stream
  /** Deprecated parameter names and what they stand for, e.g. `{ subject: 'topic' }`. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** At most `count` in `seconds`. */
export interface RatePerAddress {
  readonly count: number
  readonly seconds: number
  /**
   * Does not count among all requests of the address: for what pages for people without an account read by themselves, so that an
   * office behind one address is not kept from signing in by opening these pages.
   */
  readonly isApart?: true
}

/** Of what costs nothing, tells everybody the same and is read by pages for people without an account. */
export const READ_BY_PAGES: RatePerAddress = { count: 600, seconds: 60, isApart: true }

/** How an endpoint answers with a stream: the members of a list of its answer, one by one as they come. */
export interface Stream {
  /** The field of the answer that is the list. Each member has an `id`. */
  readonly each: string
  /** The integer parameter that says behind which id the list begins; the header `Last-Event-ID` wins over it. */
  readonly after: string
}

export function endpoint<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  declaration: Endpoint<Input, Output>,
): Endpoint<Input, Output> {
  return declaration
}

/** What a handler receives: parameters parsed and defaulted. */
export type Input<E extends Endpoint> = z.output<E['input']>

/** What a handler returns. */
export type Output<E extends Endpoint> = z.input<E['output']>
