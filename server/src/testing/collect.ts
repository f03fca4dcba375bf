import { existsSync } from 'node:fs'
import { capabilities } from '../capabilities.ts'

/** What capabilities have in this file of their `testing/` folder, under its name, in the order of the list. */
export async function collect<Part extends object>(file: 'samples' | 'steps'): Promise<readonly Part[]> {
  const found = capabilities
    .map(({ name }) => new URL(`../capabilities/${name}/testing/${file}.ts`, import.meta.url))
    .filter((url) => existsSync(url))
  return Promise.all(
    found.map(async ({ href }) => {
      // The type of each is declared in the file itself.
      const { [file]: part } = (await import(href)) as Readonly<Record<string, Part | undefined>>
      if (part === undefined) throw new Error(`${href} exports no ${file}`)
      return part
    }),
  )
}

/** One record of several. @throws Error when two have the same name: each is said by one capability */
export function joined<Value>(
  records: readonly (Readonly<Record<string, Value>> | undefined)[],
): Record<string, Value> {
  const entries = records.flatMap((record) => Object.entries(record ?? {}))
  const names = entries.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two capabilities say what ${twice} is`)
  return Object.fromEntries(entries)
}
