import * as contract from '@parley/server/contract'
import type { EventDeclaration } from '@parley/server/kernel/event'

/** Every event in the capabilities' contracts. `client/build.js` generates an explicit list for browsers. */
export const events: readonly EventDeclaration[] = Object.values(contract)
  .flatMap((capability): unknown[] => Object.values(capability))
  .filter(isEvent)

function isEvent(value: unknown): value is EventDeclaration {
  return typeof value === 'object' && value !== null && 'touches' in value
}
