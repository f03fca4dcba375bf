import { readFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const REFERENCE = new URL('../../docs/operating/settings.md', import.meta.url).pathname
const SOURCE = new URL('config.ts', import.meta.url)

const INTRODUCTION = `# Settings

Parley reads these environment variables when it starts. An unset or empty variable has its default. With an invalid
value, Parley doesn't start, and prints the required format.

Switches accept \`1\`, \`true\`, \`on\`, or \`yes\`, and \`0\`, \`false\`, \`off\`, or \`no\`.
`

interface Setting {
  readonly name: string
  readonly description: string
}

it('documents every setting with its default', async () => {
  const settings = settingsIn(readFileSync(SOURCE, 'utf8'))
  const defaults = new Map<string, unknown>(Object.entries(readConfig({})))
  expect(settings.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))).toEqual([...defaults.keys()])
  const sections = settings.map((part) => {
    if (typeof part === 'string') return `## ${part}`
    const fallback = textOf(defaults.get(part.name))
    return `### \`${part.name}\`\n\n${part.description}${fallback === '' ? '' : `\n\nDefault: \`${fallback}\``}`
  })
  const options = await resolveConfig(REFERENCE)
  const text = await format([INTRODUCTION, ...sections].join('\n\n'), {
    ...options,
    parser: 'markdown',
    proseWrap: 'always',
  })
  await expect(text).toMatchFileSnapshot(REFERENCE)
})

function settingsIn(source: string): (string | Setting)[] {
  const object = source.slice(source.indexOf('const SETTINGS = {'), source.indexOf('\n}\n\nexport type Config'))
  return [...object.matchAll(/\/\*\*?((?:(?!\*\/)[^])+)\*\/(?:\n {2}(\w+):)?/g)].map(([, comment = '', name]) => {
    const words = comment
      .replaceAll(/^ *\* ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return name === undefined ? words : { name, description: words }
  })
}

/** Returns text as an operator would write it; empty if there is no default. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  const isRate = typeof value === 'object' && value !== null && 'count' in value && 'seconds' in value
  return isRate ? `${String(value.count)}/${String(value.seconds)}` : ''
}
