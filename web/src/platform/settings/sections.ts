import { signal } from '@preact/signals'
import type { SettingsSection } from '../../kernel/setting.ts'
import { loadSections } from '../registry.ts'

const loadedSections = signal<readonly SettingsSection[] | undefined>(undefined)
let isLoading = false

export function allSections(): readonly SettingsSection[] | undefined {
  if (loadedSections.value === undefined) void loadAllSections()
  return loadedSections.value?.filter(({ when }) => when?.() ?? true)
}

async function loadAllSections(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    const known = await loadSections()
    const all = known.map((section) =>
      section.madeOf === undefined ? section : { ...section, groups: section.madeOf(known) },
    )
    loadedSections.value = [
      ...all.filter(({ isLast }) => isLast !== true),
      ...all.filter(({ isLast }) => isLast === true),
    ]
  } catch {
    // The next call retries.
    isLoading = false
  }
}
