/** The typed client: calls by declaration, the event loop, and the fold of all events. */
export { ApiError, call, type Credentials } from './calls.ts'
export { fold, type ApiEvent } from './fold.ts'
export { follow, type Follower } from './follow.ts'
