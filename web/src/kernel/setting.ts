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
  /** What the server calls it, where it is one of its settings of people. */
  readonly name?: string
}

/** Settings of people by what the server calls them, of somebody else than the one who chooses. */
export interface Others {
  readonly read: (name: string) => unknown
  readonly write: (name: string, value: string | number | boolean) => Promise<Written>
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

/** What may be chosen for others, too. */
interface Shared extends Described {
  /** The same setting of others; its id is what the server calls it. */
  readonly ofOthers?: (others: Others) => Setting
}

/** One of a few. */
interface Selected extends Shared {
  readonly kind: 'select'
  readonly options: () => readonly Option[]
  readonly chosen: () => string
  readonly choose: (key: string) => Promise<Written>
}

/** On or off. */
interface Switched extends Shared {
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
  /** What holds for all of them, in a sentence. */
  readonly note?: () => string | undefined
  readonly settings: readonly Setting[]
}

/** A page of the settings. */
export interface SettingsSection {
  /** Stands in its address: `/settings/appearance`. */
  readonly id: string
  readonly title: () => string
  readonly icon: IconName
  /** Stands beside the title in the list of pages: how much there is to do. */
  readonly Beside?: FunctionComponent
  /** Whose settings they are. */
  readonly of: 'person' | 'organization'
  /** For whom it is there; for everybody, unless told. */
  readonly when?: () => boolean
  /** When and for whom its choices count, where that is not at once and for all whose settings they are. */
  readonly note?: () => string
  /** It stands behind all others, since nobody is to open it by mistake. */
  readonly isLast?: boolean
  /** Its groups are made of all other pages. */
  readonly madeOf?: (others: readonly SettingsSection[]) => readonly SettingsGroup[]
  readonly groups: readonly SettingsGroup[]
}

/** A setting that is one of a few values. @param options the values to choose from, of which what is chosen should be one */
export function select<Value extends string | number | null>(
  described: Described,
  choice: Choice<Value>,
  options: (chosen: Value) => readonly (readonly [value: Value, title: string])[],
): Setting {
  const shown = (): readonly (readonly [value: Value, title: string])[] => options(choice.read())
  return {
    ...described,
    ...sharing(described, choice, (its, others) => select(its, others, options)),
    kind: 'select',
    options: () => shown().map(([value, title]) => ({ key: String(value), title })),
    chosen: () => {
      const value = choice.read()
      const [first] = shown()
      // What only other clients can choose is shown as the first.
      return String(first === undefined || shown().some(([one]) => one === value) ? value : first[0])
    },
    choose: async (key) => {
      const [chosen] = shown().find(([value]) => String(value) === key) ?? []
      return chosen === undefined ? 'refused' : choice.write(chosen)
    },
  }
}

/** A setting that is on or off. */
export function toggle(described: Described, choice: Choice<boolean>): Setting {
  return {
    ...described,
    ...sharing(described, choice, toggle),
    kind: 'switch',
    isOn: choice.read,
    turn: choice.write,
  }
}

/** Lets a setting be made for others, where the server has it. */
function sharing<Value extends string | number | boolean | null>(
  described: Described,
  { name }: Choice<Value>,
  make: (its: Described, choice: Choice<Value>) => Setting,
): Pick<Shared, 'ofOthers'> {
  if (name === undefined) return {}
  return {
    ofOthers: ({ read, write }) =>
      make(
        { ...described, id: name },
        {
          // The server declares the values of a setting, for others as for the one who chooses.
          read: () => read(name) as Value,
          write: async (value) => (value === null ? 'refused' : write(name, value)),
        },
      ),
  }
}

/** A setting that is a text. */
export function wording(
  described: Described & Pick<Worded, 'maxLength' | 'isLong' | 'isRequired' | 'inputMode'>,
  choice: Choice<string>,
): Setting {
  return { ...described, kind: 'text', text: choice.read, save: choice.write }
}
