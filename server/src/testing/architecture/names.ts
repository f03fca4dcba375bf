import { codeOnly, productionSources, type Source } from './sources.ts'

/** Nouns that end like participles. */
const NOUNS = new Set([
  'Deed',
  'Encoding',
  'Finding',
  'Nothing',
  'Ping',
  'Setting',
  'Sighting',
  'String',
  'Thing',
  'Warning',
])
/** Verbs that look like participles: good names of functions. */
const VERBS = new Set(['Put', 'Run', 'Succeed'])

const IRREGULAR_PARTICIPLES = new Set(
  (
    'Begun Bound Built Caught Chosen Done Drawn Fallen Found Given Gone Heard Held Hidden Kept Known Left Lost Made ' +
    'Met Put Ran Run Said Seen Sent Shown Sought Taken Thrown Told Written'
  ).split(' '),
)

const DECLARATION = /^(?:export )?(?:async )?(type|interface|class|function)\*? (\w+)/gm

export const typeNames = {
  promise: 'gives no type or function a name that is only a participle',
  violations: (sources: readonly Source[]): string[] =>
    sources.flatMap(({ path, text }) =>
      [...codeOnly(text).matchAll(DECLARATION)].flatMap(([, kind = '', name = '']) =>
        isLoneParticiple(name, kind) ? [`${path} has a ${kind === 'function' ? kind : 'type'} named ${name}`] : [],
      ),
    ),
}

const STATEMENT = /\.rows(?:<[^(]*>)?\(\s*'(\w+)',\s*(\w+|`)/g

export const statementNames = {
  promise: 'names no two database statements alike, because a connection prepares a name only once',
  violations: (sources: readonly Source[]): string[] => {
    const textsByName = new Map<string, Set<string>>()
    for (const { path, text } of productionSources(sources)) {
      for (const [whole, name = '', constant = ''] of text.matchAll(STATEMENT)) {
        const texts = textsByName.get(name) ?? new Set()
        textsByName.set(name, texts.add(constant === '`' ? `${path}: ${whole}` : constant))
      }
    }
    return [...textsByName].flatMap(([name, { size }]) => (size > 1 ? [`${size} statements are named ${name}`] : []))
  },
}

/** Whether a name says nothing about its value, like `Told`. */
function isLoneParticiple(name: string, kind: string): boolean {
  const word = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  if (NOUNS.has(word) || (kind === 'function' && VERBS.has(word)) || /^[A-Z][a-z]*[A-Z]/.test(word)) return false
  return IRREGULAR_PARTICIPLES.has(word) || /.(?:ed|ing)$/.test(word)
}
