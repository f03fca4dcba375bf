import { signal } from '@preact/signals'
import type { Findable } from '../../kernel/finding.ts'
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

export interface FindableSetting extends Findable {
  readonly section: SettingsSection
  /** Undefined for the page itself. */
  readonly setting?: string
  readonly group?: string | undefined
}

export function keyOfPage({ id }: SettingsSection): string {
  return `s:${id}`
}

/** Returns each page, followed by its settings. The search in settings and the palette find them. */
export function findableSettings(sections: readonly SettingsSection[]): readonly FindableSetting[] {
  return sections.flatMap((section) => [
    { key: keyOfPage(section), name: section.title(), about: section.synonyms?.(), section },
    ...section.groups.flatMap(({ title, settings }) =>
      settings
        .filter(({ when }) => when?.() ?? true)
        .map((setting) => ({
          key: `${keyOfPage(section)}:${setting.id}`,
          name: setting.title(),
          about: [title?.(), setting.note?.(), setting.synonyms?.()].filter(Boolean).join(' '),
          section,
          setting: setting.id,
          group: title?.(),
        })),
    ),
  ])
}
