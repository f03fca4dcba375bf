/** The typed client: calls by declaration, the event loop, and the state that events keep current. */
export {
  answerOf,
  ApiError,
  call,
  recordSeenPosition as recordSeen,
  type CallOptions,
  type Credentials,
  type KeyCredentials,
  type SessionCredentials,
} from './calls.ts'
export { fold, isEvent, type ApiEvent } from './fold.ts'
export { follow, retryAfterMilliseconds, isFinal, notSignedIn, type Follower, type FollowOptions } from './follow.ts'
export type { Answer, ClientOptions, ClientState, Endpoint, EventDeclaration, InputOf, PayloadOf } from './types.ts'
export { isInAnswer, positionOfEvent } from '@parley/server/kernel/event-ids'
