import { namesOnly, wordsIn, type Source } from './sources.ts'

const RETIRED_WORDS = new Map([
  ['assembled', 'composed'],
  ['belief', 'cache'],
  ['belonging', 'related rows'],
  ['desk', 'render context'],
  ['early', 'prefetched'],
  ['entrance', 'signed-out pages'],
  ['hear', 'listen or receive'],
  ['heard', 'received'],
  ['hearing', 'listener'],
  ['lane', 'batch writer'],
  ['onlooker', 'metadata-only viewer'],
  ['placing', 'insert'],
  ['sheltered', 'limited guest'],
  ['tell', 'notify, send, or report'],
  ['told', 'notified, sent, or reported'],
  ['visitor', 'spectator'],
  ['voices', 'bus'],
  ['whisper', 'ephemeral event'],
  ['world', 'organization or organization state'],
])

/** Lists names of a file that contain a retired word. Ignores `snake_case` names, which the API or a table defines. */
export function retiredNamesIn({ path, text }: Source): string[] {
  const names = new Set(namesOnly(text).match(/(?<![\w$])[A-Za-z_$][\w$]*/g))
  const words = new Set([...names].flatMap(wordsOfName))
  return [...RETIRED_WORDS].flatMap(([word, replacement]) =>
    words.has(word) ? [`${path} has a name with ${word}: write ${replacement}`] : [],
  )
}

function wordsOfName(name: string): string[] {
  if (/^[A-Z][A-Z\d_]*$/.test(name)) return name.split('_').flatMap((word) => wordsIn(word.toLowerCase()))
  return name.includes('_') ? [] : wordsIn(name)
}
