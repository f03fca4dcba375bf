import type { Capability } from '../kernel/capability.ts'

let capabilities: readonly Capability[] = []

export function installCapabilities(all: readonly Capability[]): void {
  capabilities = all
}

export function allCapabilities(): readonly Capability[] {
  return capabilities
}
