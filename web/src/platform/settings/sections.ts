import { signal } from '@preact/signals'
import type { SettingsGroup, SettingsSection } from '../../kernel/setting.ts'
import { allCapabilities } from '../registry.ts'

const loaded = signal<ReadonlyMap<string, readonly SettingsGroup[]>>(new Map())
const loading = new Set<string>()

/** The pages of the settings, in the order of the capabilities. */
export function allSections(): readonly SettingsSection[] {
  return allCapabilities().flatMap(({ settings = [] }) => settings)
}

/** What a page shows, once it was loaded; who asks in a component or a computed value hears when it is. */
export function groupsOf(section: SettingsSection): readonly SettingsGroup[] | undefined {
  const known = loaded.value.get(section.id)
  if (known === undefined) void load(section)
  return known
}

async function load({ id, load: begin }: SettingsSection): Promise<void> {
  if (loading.has(id)) return
  loading.add(id)
  try {
    const groups = await begin()
    loaded.value = new Map([...loaded.peek(), [id, groups]])
  } catch {
    // It is loaded when it is asked for again.
    loading.delete(id)
  }
}
