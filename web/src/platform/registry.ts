import type { Capability } from '../kernel/capability.ts'

let capabilities: readonly Capability[] = []

/** Says what the client is made of; called once, before anything is shown. */
export function installCapabilities(all: readonly Capability[]): void {
  capabilities = all
}

/** Everything that the client is made of, in the order of the list. */
export function allCapabilities(): readonly Capability[] {
  return capabilities
}
