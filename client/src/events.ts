import * as contract from '@parley/server/contract'
import type { EventDeclaration } from '@parley/server/kernel/event'

/** Every event of every capability's contract. For a browser, `client/build.js` writes the list out by name. */
export const events: readonly EventDeclaration[] = Object.values(contract)
  .flatMap((capability): unknown[] => Object.values(capability))
  .filter(isEvent)

function isEvent(value: unknown): value is EventDeclaration {
  return typeof value === 'object' && value !== null && 'touches' in value
}
