/*
 * How the client looks, as the page needs it before it shows anything: before the state is there, and before it is known who is
 * signed in. The browser keeps a copy where a script reads it at once. It says nothing of the person but taste.
 */
export interface Looks {
  readonly theme: 'system' | 'light' | 'dark'
  readonly contrast: 'system' | 'more'
  readonly density: 'comfortable' | 'compact'
  readonly motion: 'system' | 'less'
  /** Whether messages show previews of what they link elsewhere. */
  readonly previews: 'shown' | 'hidden'
  /** In pixels. */
  readonly size: number
  /** As a ratio to the size of the font. */
  readonly leading: number
  /** As a ratio to what the colours are at first. */
  readonly saturation: number
  readonly language: string
}

const KEY = 'parley-looks'

const ATTRIBUTES = ['theme', 'contrast', 'density', 'motion', 'previews'] as const
const VARIABLES = [
  ['--size', 'size', 'px'],
  ['--leading', 'leading', ''],
  ['--saturation', 'saturation', ''],
] as const

export function showLooks(looks: Partial<Looks>): void {
  const { dataset, style } = document.documentElement
  for (const name of ATTRIBUTES) {
    const value = looks[name]
    if (value === undefined || ['system', 'comfortable', 'shown'].includes(value)) delete dataset[name]
    else dataset[name] = value
  }
  for (const [variable, name, unit] of VARIABLES) {
    if (typeof looks[name] === 'number') style.setProperty(variable, `${looks[name]}${unit}`)
  }
}

/** Keeps them for the next start, unless the browser keeps nothing. */
export function keepLooks(looks: Looks): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(looks))
  } catch {
    // The next start looks as the system does until the state is there.
  }
}

/** What the last start looked like; nothing where it is not known. */
export function keptLooks(): Partial<Looks> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    // Written above, perhaps by another version: each field is looked at where it is used.
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}
