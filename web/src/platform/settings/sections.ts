import { signal } from '@preact/signals'
import { loadAdministration } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { allCapabilities } from '../registry.ts'

const loaded = signal<readonly SettingsSection[] | undefined>(undefined)
let isLoading = false

/**
 * The pages of the settings that are there for the person, in the order of the capabilities; undefined until they were loaded,
 * of which who asks in a component or a computed value hears.
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
    // They are loaded when they are asked for again.
    isLoading = false
  }
}
