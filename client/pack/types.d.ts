/** Carries the types of a declaration. No object has such a field. */
declare const TYPES: unique symbol

/** An endpoint of the API. Those of each capability are exported by its name: `messages.sendMessage`. */
export interface Endpoint<Input extends object = object, Output extends object = object> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below `/api/v1`; parameters as `:name`. */
  readonly path: string
  /** Takes one file: of any kind, or a picture. */
  readonly file?: 'upload' | 'picture'
  readonly [TYPES]?: { readonly input: Input; readonly output: Output }
}

/** An event of the API, and how a client folds it. Those of each capability are exported by its name: `messages.messageSent`. */
export interface EventDeclaration<Payload extends object = object> {
  readonly type: string
  readonly op?: string
  /** The fields of the state that the event may change. */
  readonly touches: readonly string[]
  readonly [TYPES]?: { readonly payload: Payload }
}

/** What a client asked for at registration that shapes its state. */
export interface ClientOptions {
  /** `include_subscribers` was not `false`. */
  readonly includeSubscribers: boolean
}

/** A client's picture of the organization: the fields of the register response. */
export type ClientState = Record<string, unknown>

/** The parameters that an endpoint takes. */
export type InputOf<E extends Endpoint> = NonNullable<E[typeof TYPES]>['input']

/** What an endpoint answers, beside `result` and `msg`. */
export type Answer<E extends Endpoint> = NonNullable<E[typeof TYPES]>['output'] & {
  ignored_parameters_unsupported?: string[]
}

/** The fields of an event beside `id`, `type` and `op`. */
export type PayloadOf<D extends EventDeclaration> = NonNullable<D[typeof TYPES]>['payload']
