import { code, type Source } from './sources.ts'

/** Nouns that end like participles. */
const NOUNS = new Set(['Deed', 'Encoding', 'Finding', 'Ping', 'Setting', 'Sighting', 'String', 'Thing', 'Warning'])

const IRREGULAR = new Set(
  (
    'Begun Bound Built Chosen Done Drawn Given Gone Heard Held Hidden Kept Known Left Lost Made Met Put Ran Read Run ' +
    'Said Seen Sent Shown Sought Taken Told Written'
  ).split(' '),
)

export const typeNames = {
  promise: 'names no type by a participle alone',
  violations: (sources: readonly Source[]): string[] =>
    sources.flatMap(({ path, text }) =>
      [...code(text).matchAll(/^(?:export )?(?:type|interface|class) (\w+)/gm)].flatMap(([, name = '']) =>
        isLoneParticiple(name) ? [`${path} has a type named ${name}`] : [],
      ),
    ),
}

/** Whether a name says nothing about its value, like `Told`. */
function isLoneParticiple(name: string): boolean {
  if (NOUNS.has(name) || /^[A-Z][a-z]*[A-Z]/.test(name)) return false
  return IRREGULAR.has(name) || /.(?:ed|ing)$/.test(name)
}
