/** Key for the types of a declaration, which exists only in the type system. No object has this field. */
declare const TYPES: unique symbol

/** An API endpoint. The package exports endpoints by capability: `messages.sendMessage`. */
export interface Endpoint<Input extends object = object, Output extends object = object> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below `/api/v1`, with parameters as `:name`. */
  readonly path: string
  /** Kind of file that the endpoint takes: `picture` for images only. Absent if the endpoint takes no file. */
  readonly file?: 'upload' | 'picture'
  readonly [TYPES]?: { readonly input: Input; readonly output: Output }
}

/** An API event and how it changes the state. The package exports events by capability: `messages.messageSent`. */
export interface EventDeclaration<Payload extends object = object> {
  readonly type: string
  readonly op?: string
  /** State fields that the event can change. */
  readonly touches: readonly string[]
  readonly [TYPES]?: { readonly payload: Payload }
}

/** Registration options that affect the state. */
export interface ClientOptions {
  /** False if the client registered with `include_subscribers: false`. */
  readonly includeSubscribers: boolean
}

/** The organization as the client sees it: the fields of the register response. */
export type ClientState = Record<string, unknown>

/** The parameters of an endpoint. */
export type InputOf<E extends Endpoint> = NonNullable<E[typeof TYPES]>['input']

/** The response of an endpoint, without `result` and `msg`. */
export type Answer<E extends Endpoint> = NonNullable<E[typeof TYPES]>['output'] & {
  ignored_parameters_unsupported?: string[]
}

/** The fields of an event, without `id`, `type`, and `op`. */
export type PayloadOf<D extends EventDeclaration> = NonNullable<D[typeof TYPES]>['payload']
