import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'

const COMMANDS_PAGE = resolve(import.meta.dirname, '../../../docs/operating/commands.md')

/**
 * Section of docs/operating/commands.md: `--help` output, and an example of `--json` output, in this section or in the
 * section to which it refers.
 */
export interface DocumentedCommand {
  readonly name: string
  readonly usage: string
  readonly example: unknown
}

export function documentedCommands(): DocumentedCommand[] {
  const sections = readFileSync(COMMANDS_PAGE, 'utf8')
    .split(/^## `parley /m)
    .slice(1)
  return sections.map((section) => {
    const [, model] = /Prints JSON like \[`([^`]+)`\]/.exec(section) ?? []
    return {
      name: nameOf(section),
      usage: /^```text\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '',
      example: exampleIn(sections.find((other) => nameOf(other) === model) ?? section),
    }
  })
}

const nameOf = (section: string) => section.slice(0, section.indexOf('`'))

function exampleIn(section: string): unknown {
  const [, json] = /^```json\n([\s\S]*?)^```$/m.exec(section) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

/** Expects the same fields and types, with lists of any length. */
export function expectDocumented(name: string, printed: unknown): void {
  const found = documentedCommands().find((command) => command.name === name)
  if (found?.example === undefined) throw new Error(`${name} has no example`)
  expectAlike(found.example, printed, name)
}

function expectAlike(example: unknown, printed: unknown, where: string): void {
  if (Array.isArray(example)) {
    if (!Array.isArray(printed)) throw new Error(`${where} is not a list`)
    for (const [index, one] of printed.entries()) expectAlike(example[0], one, `${where}[${index}]`)
    return
  }
  if (!isRecord(example)) {
    // Null represents a value that can be missing.
    if (example !== null && printed !== null) expect([where, typeof printed]).toEqual([where, typeof example])
    return
  }
  if (!isRecord(printed)) throw new Error(`${where} is not a record`)
  expect([where, ...Object.keys(printed)]).toEqual([where, ...Object.keys(example)])
  for (const [key, value] of Object.entries(example)) expectAlike(value, printed[key], `${where}.${key}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
