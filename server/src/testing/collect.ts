import { existsSync } from 'node:fs'
import { capabilities } from '../capabilities.ts'

/** @throws Error if a capability exports anything that this function does not collect */
export async function collect<Part extends object>(name: 'samples' | 'steps'): Promise<readonly Part[]> {
  const found = capabilities
    .map((capability) => new URL(`../capabilities/${capability.name}/testing/index.ts`, import.meta.url))
    .filter((url) => existsSync(url))
  const parts = await Promise.all(
    found.map(async ({ href }) => {
      const exported = (await import(href)) as Readonly<Record<string, Part | undefined>>
      const unknown = Object.keys(exported).find((key) => key !== 'samples' && key !== 'steps')
      if (unknown !== undefined) throw new Error(`${href} exports ${unknown}, which is neither samples nor steps`)
      return exported[name]
    }),
  )
  return parts.filter((part) => part !== undefined)
}

/** @throws Error if several capabilities declare the same name */
export function mergeUnique<Value>(
  records: readonly (Readonly<Record<string, Value>> | undefined)[],
): Record<string, Value> {
  const entries = records.flatMap((record) => Object.entries(record ?? {}))
  const names = entries.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two capabilities define ${twice}`)
  return Object.fromEntries(entries)
}
