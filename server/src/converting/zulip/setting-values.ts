import { splitSettings, type Settings } from '../../kernel/setting.ts'

export interface SettingColumns {
  /** Column names by setting, newest first. By default, the column has the setting's name. */
  readonly names: Readonly<Record<string, readonly string[]>>
  /** Meanings of stored values by column name. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Most private values by setting, for privacy settings with an unsupported value. */
  readonly narrowest: Readonly<Record<string, unknown>>
}

/** Returns settings that differ from the defaults. `unfit` is called for each unsupported value. */
export function settingsOf(
  row: Readonly<Record<string, unknown>>,
  settings: Settings,
  { names, values, narrowest }: SettingColumns,
  unfit: (setting: string, value: unknown) => void,
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [setting, { byDefault }] of Object.entries(settings)) {
    const column = (names[setting] ?? [setting]).find((one) => row[one] !== undefined)
    if (column === undefined) continue
    const given = row[column]
    const meanings = values[column] ?? {}
    const value = Object.hasOwn(meanings, String(given)) ? meanings[String(given)] : given
    const { kept } = splitSettings({ [setting]: value }, settings)
    if (Object.hasOwn(kept, setting)) {
      if (kept[setting] !== byDefault) found[setting] = kept[setting]
      continue
    }
    // Null means that no one chose a value. The default applies, except for privacy settings.
    if (value === byDefault || (value === null && !Object.hasOwn(narrowest, setting))) continue
    if (Object.hasOwn(narrowest, setting)) found[setting] = narrowest[setting]
    unfit(setting, value)
  }
  return found
}
