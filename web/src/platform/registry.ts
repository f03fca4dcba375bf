import type { Capability } from '../kernel/capability.ts'
import type { SettingsSection } from '../kernel/setting.ts'

let capabilities: readonly Capability[] = []
let loader: () => Promise<readonly SettingsSection[]> = () => Promise.resolve([])

/** @param loadSettings called when settings are opened or searched */
export function installCapabilities(all: readonly Capability[], loadSettings: typeof loader): void {
  capabilities = all
  loader = loadSettings
}

export function allCapabilities(): readonly Capability[] {
  return capabilities
}

export async function loadSections(): Promise<readonly SettingsSection[]> {
  return loader()
}
