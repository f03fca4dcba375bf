import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import type { Capability } from '../kernel/capability.ts'
import type { SettingsSection } from '../kernel/setting.ts'

const capabilities = signal<readonly Capability[]>([])
let sectionsLoader: () => Promise<readonly SettingsSection[]> = () => Promise.resolve([])

/** @param loadSettings called when settings are opened or searched */
export function installCapabilities(all: readonly Capability[], loadSettings: typeof sectionsLoader): void {
  capabilities.value = all
  sectionsLoader = loadSettings
}

/** Adds capabilities that were loaded after the first paint, together, because each addition rerenders all messages. */
export function addCapabilities(late: readonly Capability[]): void {
  for (const { begin } of late) begin?.()
  capabilities.value = [...capabilities.value, ...late]
}

/** Overlays that capabilities add and remove once they have loaded on demand. */
export const lateOverlays = signal<readonly FunctionComponent[]>([])

export function allCapabilities(): readonly Capability[] {
  return capabilities.value
}

export async function loadSections(): Promise<readonly SettingsSection[]> {
  return sectionsLoader()
}
