import type { FunctionComponent } from 'preact'
import type { IconName } from './icons.ts'

/** What became of a choice: the server has it, it waits for a connection, or the server refused it, which was said already. */
export type Written = 'saved' | 'waits' | 'refused'

/** Something that a person chooses once, and finds again in every browser. */
export interface Choice<Value> {
  /** What is chosen; who reads it in a component or a computed value hears of changes. */
  readonly read: () => Value
  /** Chooses it, at once; what the server refuses is changed back, and thrown where it has to be said in place. */
  readonly write: (value: Value) => Promise<Written>
}

export interface Option {
  readonly key: string
  readonly title: string
}

export interface Described {
  /** Tells it apart within its section, in addresses: `theme`. */
  readonly id: string
  readonly title: () => string
  /** More about it, in a sentence. */
  readonly note?: () => string | undefined
  readonly when?: () => boolean
  /** Why one may not change it; undefined where one may. */
  readonly fixed?: () => string | undefined
}

/** One of a few. */
interface Selected extends Described {
  readonly kind: 'select'
  readonly options: () => readonly Option[]
  readonly chosen: () => string
  readonly choose: (key: string) => Promise<Written>
}

/** On or off. */
interface Switched extends Described {
  readonly kind: 'switch'
  readonly isOn: () => boolean
  readonly turn: (isOn: boolean) => Promise<Written>
}

/** A text. */
interface Worded extends Described {
  readonly kind: 'text'
  readonly maxLength: number
  readonly isLong?: boolean
  readonly isRequired?: boolean
  /** Which keys a phone offers. */
  readonly inputMode?: 'text' | 'url'
  readonly text: () => string
  readonly save: (text: string) => Promise<Written>
}

/** What needs more than one control. */
interface Made extends Described {
  readonly kind: 'part'
  /** The part is a sentence that says what it is about. */
  readonly isSentence?: boolean
  /** The part is a button, which stands beside the title. */
  readonly isBeside?: boolean
  readonly Part: FunctionComponent
}

/** Something that can be set. It is found in the palette by its title. */
export type Setting = Selected | Switched | Worded | Made

export interface SettingsGroup {
  readonly title?: () => string
  readonly settings: readonly Setting[]
}

/** A page of the settings. */
export interface SettingsSection {
  /** Stands in its address: `/settings/appearance`. */
  readonly id: string
  readonly title: () => string
  readonly icon: IconName
  /** Whose settings they are. */
  readonly of: 'person' | 'organization'
  /** For whom it is there; for everybody, unless told. */
  readonly when?: () => boolean
  /** It stands behind all others, since nobody is to open it by mistake. */
  readonly isLast?: boolean
  readonly groups: readonly SettingsGroup[]
}

/** A setting that is one of a few values. */
export function select<Value extends string | number | null>(
  described: Described,
  choice: Choice<Value>,
  options: () => readonly (readonly [value: Value, title: string])[],
): Setting {
  return {
    ...described,
    kind: 'select',
    options: () => options().map(([value, title]) => ({ key: String(value), title })),
    chosen: () => String(choice.read()),
    choose: async (key) => {
      const [chosen] = options().find(([value]) => String(value) === key) ?? []
      return chosen === undefined ? 'refused' : choice.write(chosen)
    },
  }
}

/** A setting that is on or off. */
export function toggle(described: Described, choice: Choice<boolean>): Setting {
  return { ...described, kind: 'switch', isOn: choice.read, turn: choice.write }
}

/** A setting that is a text. */
export function wording(
  described: Described & Pick<Worded, 'maxLength' | 'isLong' | 'isRequired' | 'inputMode'>,
  choice: Choice<string>,
): Setting {
  return { ...described, kind: 'text', text: choice.read, save: choice.write }
}
