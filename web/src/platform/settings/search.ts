import type { Findable } from '../../kernel/finding.ts'
import type { SettingsSection } from '../../kernel/setting.ts'

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
