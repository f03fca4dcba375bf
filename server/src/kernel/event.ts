import type * as z from 'zod/mini'

/** Declares an event. `apply` changes `state` in place and must be idempotent: a snapshot may include the event. */
export interface EventDeclaration<
  Shape extends z.ZodMiniObject = z.ZodMiniObject,
  Type extends string = string,
  Op extends string = string,
> {
  readonly type: Type
  readonly op?: Op
  readonly summary: string
  readonly payload: Shape
  /** Whether the event is not logged, but sent once, to existing queues. */
  readonly isEphemeral?: boolean
  /** State fields that `apply` may change, except those that the client's `fold` derives from them. */
  readonly touches: readonly string[]
  /** Further state fields that `apply` may change, depending on the event's content. */
  touchesNamed?(event: z.output<Shape>): readonly string[]
  apply(state: ClientState, event: z.output<Shape>, client: ClientOptions): void
}

export interface ClientOptions {
  /** Whether the client's `include_subscribers` is not `false`. */
  readonly includeSubscribers: boolean
}

/** Fields of the register response that events change. Each contract declares its own fields. */
export interface StateFields {}

/** Fields are absent if the client did not request them. */
export type ClientState = Record<string, unknown> & Partial<StateFields>

export function event<Shape extends z.ZodMiniObject, Type extends string, Op extends string = never>(
  declaration: EventDeclaration<Shape, Type, Op>,
): EventDeclaration<Shape, Type, Op> {
  return declaration
}

export function eventName(declaration: { type: string; op?: string }): string {
  return declaration.op === undefined ? declaration.type : `${declaration.type}/${declaration.op}`
}
