import type { FunctionComponent } from 'preact'
import type { IconName } from './icons.ts'

/** Result of saving a setting: stored, queued until the connection is back, or refused, with the reason shown. */
export type SaveResult = 'saved' | 'waits' | 'refused'

/** Setting whose value is the same in all of the user's browsers. */
export interface Choice<Value> {
  /** Components and computed signals that call this subscribe to changes. */
  readonly read: () => Value
  /** Applies a value immediately, and reverts it if the server refuses. Throws if the form must show the reason. */
  readonly write: (value: Value) => Promise<SaveResult>
  /** Name of the setting on the server, for user settings. */
  readonly name?: string
}

/** Settings of other users, for example the defaults for new users. */
export interface SettingsOfOthers {
  readonly read: (name: string) => unknown
  readonly write: (name: string, value: string | number | boolean) => Promise<SaveResult>
}

export interface Option {
  readonly key: string
  readonly title: string
}

export interface BaseSetting {
  readonly id: string
  readonly title: () => string
  /** Help text of one sentence. */
  readonly note?: () => string | undefined
  /** Other words by which people find it. */
  readonly synonyms?: () => string | undefined
  readonly when?: () => boolean
  /** Returns why the user cannot change the setting; undefined if they can. */
  readonly fixed?: () => string | undefined
}

interface ShareableSetting extends BaseSetting {
  readonly ofOthers?: (others: SettingsOfOthers) => Setting
}

interface SelectSetting extends ShareableSetting {
  readonly kind: 'select'
  readonly options: () => readonly Option[]
  readonly chosen: () => string
  readonly choose: (key: string) => Promise<SaveResult>
  /** Returns an option to offer beside the selection, with a button's title; undefined if there is none. */
  readonly suggestion?: () => Option | undefined
}

interface ToggleSetting extends ShareableSetting {
  readonly kind: 'switch'
  readonly isOn: () => boolean
  readonly turn: (isOn: boolean) => Promise<SaveResult>
}

interface TextSetting extends BaseSetting {
  readonly kind: 'text'
  readonly maxLength: number
  readonly isLong?: boolean
  readonly isRequired?: boolean
  readonly inputMode?: 'text' | 'url'
  readonly text: () => string
  readonly save: (text: string) => Promise<SaveResult>
}

interface CustomSetting extends BaseSetting {
  readonly kind: 'part'
  /** Whether the component is a sentence that already names the setting. */
  readonly isSentence?: boolean
  /** Whether the component is small enough for the column of controls, beside the title. */
  readonly isBeside?: boolean
  readonly Part: FunctionComponent
}

/** The palette and the search in settings find settings by their titles, notes, and synonyms. */
export type Setting = SelectSetting | ToggleSetting | TextSetting | CustomSetting

export interface SettingsGroup {
  readonly title?: () => string
  /** One sentence that applies to all settings of the group. */
  readonly note?: () => string | undefined
  readonly settings: readonly Setting[]
}

export interface SettingsSection {
  /** Part of the URL: `/settings/appearance`. */
  readonly id: string
  readonly title: () => string
  readonly synonyms?: () => string | undefined
  readonly icon: IconName
  /** Shown beside the title in the list of pages, for example a count. */
  readonly Beside?: FunctionComponent
  readonly of: 'person' | 'organization'
  readonly when?: () => boolean
  /** Explains when and to whom a change applies. Omitted if it applies to everyone affected immediately. */
  readonly note?: () => string
  /** Whether the page is last in the list, so that no one opens it by mistake. */
  readonly isLast?: boolean
  /** Builds the page's groups from the groups of all other pages. */
  readonly madeOf?: (others: readonly SettingsSection[]) => readonly SettingsGroup[]
  readonly groups: readonly SettingsGroup[]
}

export function selectSetting<Value extends string | number | null>(
  described: BaseSetting & Pick<SelectSetting, 'suggestion'>,
  choice: Choice<Value>,
  options: (chosen: Value) => readonly (readonly [value: Value, title: string])[],
): Setting {
  const shown = (): readonly (readonly [value: Value, title: string])[] => options(choice.read())
  return {
    ...described,
    ...shareSetting(described, choice, (its, others) => selectSetting(its, others, options)),
    kind: 'select',
    options: () => shown().map(([value, title]) => ({ key: String(value), title })),
    chosen: () => {
      const value = choice.read()
      const [first] = shown()
      // A value that only other clients can choose is shown as the first option.
      return String(first === undefined || shown().some(([one]) => one === value) ? value : first[0])
    },
    choose: async (key) => {
      const [chosen] = shown().find(([value]) => String(value) === key) ?? []
      return chosen === undefined ? 'refused' : choice.write(chosen)
    },
  }
}

export function toggleSetting(described: BaseSetting, choice: Choice<boolean>): Setting {
  return {
    ...described,
    ...shareSetting(described, choice, toggleSetting),
    kind: 'switch',
    isOn: choice.read,
    turn: choice.write,
  }
}

/** Adds `ofOthers`, for other users' values, if the server knows the setting. */
function shareSetting<Value extends string | number | boolean | null>(
  described: BaseSetting,
  { name }: Choice<Value>,
  make: (its: BaseSetting, choice: Choice<Value>) => Setting,
): Pick<ShareableSetting, 'ofOthers'> {
  if (name === undefined) return {}
  return {
    ofOthers: ({ read, write }) =>
      make(
        { ...described, id: name },
        {
          // Safe: the setting has the same type for other users.
          read: () => read(name) as Value,
          write: async (value) => (value === null ? 'refused' : write(name, value)),
        },
      ),
  }
}

export function textSetting(
  described: BaseSetting & Pick<TextSetting, 'maxLength' | 'isLong' | 'isRequired' | 'inputMode'>,
  choice: Choice<string>,
): Setting {
  return { ...described, kind: 'text', text: choice.read, save: choice.write }
}
