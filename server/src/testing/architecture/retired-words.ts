const RETIRED_WORDS = new Map([
  ['assembled', 'composed'],
  ['belief', 'cache'],
  ['desk', 'render context'],
  ['lane', 'batch writer'],
  ['onlooker', 'metadata-only viewer'],
  ['placing', 'insert'],
  ['sheltered', 'limited guest'],
  ['visitor', 'spectator'],
  ['voices', 'bus'],
  ['whisper', 'ephemeral event'],
  ['world', 'organization or organization state'],
])

export function retiredWordsIn(words: ReadonlySet<string>): string[] {
  return [...RETIRED_WORDS].flatMap(([word, replacement]) => (words.has(word) ? [`${word}: write ${replacement}`] : []))
}
