/* Settings also stored in the browser: the page needs them before the state is loaded and the user is known. */
export interface Looks {
  readonly theme: 'system' | 'light' | 'dark'
  readonly contrast: 'system' | 'more'
  readonly density: 'comfortable' | 'compact'
  readonly motion: 'system' | 'less'
  readonly previews: 'shown' | 'hidden'
  readonly size: number
  readonly leading: number
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

export function keepLooks(looks: Looks): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(looks))
  } catch {
    // Without storage, the next start uses the system's appearance until the state is loaded.
  }
}

export function storedLooks(): Partial<Looks> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}
