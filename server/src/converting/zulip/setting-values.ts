import { fittingSettings, type Settings } from '../../kernel/setting.ts'

/** How a table of an export has settings, where that is otherwise than here. */
export interface SettingColumns {
  /** What a setting is called there, the present name first; its name here where nothing is said. */
  readonly names: Readonly<Record<string, readonly string[]>>
  /** What values stand for, by the names there. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** What settings are that say who sees or may do something, where their value is not possible here. */
  readonly narrowest: Readonly<Record<string, unknown>>
}

/**
 * Those settings of a row that differ from the defaults.
 * @param unfit is told of each that has a value that is not possible here
 */
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
    const { kept } = fittingSettings({ [setting]: value }, settings)
    if (Object.hasOwn(kept, setting)) {
      if (kept[setting] !== byDefault) found[setting] = kept[setting]
      continue
    }
    // Null means that nothing was chosen. The setting then has its default, unless that default would let people see or do more.
    if (value === byDefault || (value === null && !Object.hasOwn(narrowest, setting))) continue
    if (Object.hasOwn(narrowest, setting)) found[setting] = narrowest[setting]
    unfit(setting, value)
  }
  return found
}
