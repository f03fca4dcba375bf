/* Settings that are also stored in the browser: the page needs them before the state is loaded. */
export interface Appearance {
  readonly theme: 'system' | 'light' | 'dark'
  readonly contrast: 'system' | 'more'
  readonly density: 'comfortable' | 'compact'
  readonly motion: 'system' | 'less'
  readonly previews: 'shown' | 'hidden'
  readonly sidebar: 'shown' | 'folded'
  /** Width in percent of the default. */
  readonly sidebarWidth: number
  readonly size: number
  readonly leading: number
  readonly saturation: number
  readonly language: string
  /** Scripts of the chosen font that this browser has cached. */
  readonly fontScripts: readonly string[]
}

const STORAGE_KEY = 'parley-looks'

const DATA_ATTRIBUTES = ['theme', 'contrast', 'density', 'motion', 'previews', 'sidebar'] as const
const CSS_VARIABLES = [
  ['--size', 'size', 'px'],
  ['--leading', 'leading', ''],
  ['--saturation', 'saturation', ''],
  ['--sidebar', 'sidebarWidth', ''],
] as const

export function applyAppearance(appearance: Partial<Appearance>): void {
  const { dataset, style } = document.documentElement
  for (const name of DATA_ATTRIBUTES) {
    const value = appearance[name]
    if (value === undefined || ['system', 'comfortable', 'shown'].includes(value)) delete dataset[name]
    else dataset[name] = value
  }
  for (const [variable, name, unit] of CSS_VARIABLES) {
    if (typeof appearance[name] === 'number') style.setProperty(variable, `${appearance[name]}${unit}`)
  }
}

export function storeAppearance(appearance: Appearance): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(appearance))
  } catch {
    // Without storage, the next start uses the system's appearance until the state is loaded.
  }
}

export function storedAppearance(): Partial<Appearance> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}
