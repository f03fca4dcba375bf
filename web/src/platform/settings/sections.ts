import { signal } from '@preact/signals'
import { loadAdministration } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { allCapabilities } from '../registry.ts'

const loaded = signal<readonly SettingsSection[] | undefined>(undefined)
let isLoading = false

/**
 * Available settings pages in capability order; undefined until loaded. Reading it in a component or computed signal
 * subscribes to changes.
 */
export function allSections(): readonly SettingsSection[] | undefined {
  if (loaded.value === undefined) void load()
  return loaded.value?.filter(({ when }) => when?.() ?? true)
}

async function load(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    await loadAdministration()
    const sections = await Promise.all(allCapabilities().map(async ({ settings }) => (await settings?.()) ?? []))
    const known = sections.flat()
    const all = known.map((section) =>
      section.madeOf === undefined ? section : { ...section, groups: section.madeOf(known) },
    )
    loaded.value = [...all.filter(({ isLast }) => isLast !== true), ...all.filter(({ isLast }) => isLast === true)]
  } catch {
    // The next call retries.
    isLoading = false
  }
}
