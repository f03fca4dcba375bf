import type * as z from 'zod/mini'

/**
 * Declares an event of the API: `type`, optional `op`, the fields beside `id`, `type` and `op`, and how a client
 * folds it into what `POST /register` gave it. `apply` changes `state` in place; it must be idempotent, since a
 * client may see an event whose effect its snapshot already holds.
 */
export interface EventDeclaration<Shape extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly type: string
  readonly op?: string
  readonly summary: string
  readonly payload: Shape
  /** An ephemeral event is in no log: it is sent once, to the queues that exist at that moment. */
  readonly isEphemeral?: boolean
  /** The top-level fields of the state that `apply` may change. `fold` says which follow from them. */
  readonly touches: readonly string[]
  /** The fields that the event itself names, and that `apply` may change too. */
  touchesNamed?(event: z.output<Shape>): readonly string[]
  apply(state: ClientState, event: z.output<Shape>, client: ClientOptions): void
}

/** What a client asked for at registration that shapes its state. */
export interface ClientOptions {
  /** `include_subscribers` was not `false`. */
  readonly includeSubscribers: boolean
}

/** A client's picture of the organization: the fields of the register response. */
export type ClientState = Record<string, unknown>

export function event<Shape extends z.ZodMiniObject>(declaration: EventDeclaration<Shape>): EventDeclaration<Shape> {
  return declaration
}

/** `realm_user/add`: how the log names the event. */
export function eventName(declaration: { type: string; op?: string }): string {
  return declaration.op === undefined ? declaration.type : `${declaration.type}/${declaration.op}`
}
