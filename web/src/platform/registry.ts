import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import type { Capability } from '../kernel/capability.ts'
import type { SettingsSection } from '../kernel/setting.ts'

let capabilities: readonly Capability[] = []
let sectionsLoader: () => Promise<readonly SettingsSection[]> = () => Promise.resolve([])

/** @param loadSettings called when settings are opened or searched */
export function installCapabilities(all: readonly Capability[], loadSettings: typeof sectionsLoader): void {
  capabilities = all
  sectionsLoader = loadSettings
}

/** Overlays that capabilities add and remove once they have loaded on demand. */
export const lateOverlays = signal<readonly FunctionComponent[]>([])

export function allCapabilities(): readonly Capability[] {
  return capabilities
}

export async function loadSections(): Promise<readonly SettingsSection[]> {
  return sectionsLoader()
}
