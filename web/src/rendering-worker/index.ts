/* Renders one text at a time with the server's renderer. Meanwhile, only answers to its lookups arrive. */
import type { EmojiNames } from '@parley/server/markdown/emoji/codes'
import { createRenderer } from '@parley/server/markdown/renderer'
import type {
  Answer,
  LookupAnswers,
  FromRenderer,
  Lookup,
  NameLookup,
  RenderingSettings,
  ToRenderer,
} from '../kernel/rendering.ts'

declare const self: DedicatedWorkerGlobalScope

const NO_EMOJI: EmojiNames = {
  apiNames: 'neutral',
  codeByName: new Map(),
  namesByCode: new Map(),
  compatibleName: (_code, given) => given,
}

let emoji: EmojiNames | undefined

/** If the emoji names cannot be fetched and are not cached, rendering the next text tries to load them again. */
async function loadEmojiNames(): Promise<void> {
  if (emoji !== undefined) return
  try {
    const response = await fetch('/static/emoji.json')
    // Safe: the file at `server_emoji_data_url` has this format.
    const { code_to_names: byCode } = (await response.json()) as { code_to_names: Record<string, string[]> }
    const namesByCode = new Map(Object.entries(byCode))
    const codeByName = new Map([...namesByCode].flatMap(([code, names]) => names.map((name) => [name, code] as const)))
    emoji = { ...NO_EMOJI, codeByName, namesByCode }
  } catch {
    // Offline, `:tada:` remains text.
  }
}

const renderer = createRenderer({
  loadEmojiNames,
  emojiNames: () => emoji ?? NO_EMOJI,
  // Grammars are large, and highlighting does not change the layout. The server's HTML has the highlighting.
  loadGrammar: async () => undefined,
  highlight: () => undefined,
  // The renderer does not need to pause, because this thread has no other work.
  ownTurn: async () => undefined,
  pausing: () => () => undefined,
})

let settings: RenderingSettings = { linkifiers: [], baseUrl: self.location.origin }
let sourceText = ''
const answers = new Map<string, LookupAnswers[Lookup]>()

const lookupKey = ({ lookup, key }: NameLookup): string => `${lookup} ${key}`

/** Treats unknown names as missing until the page answers, and then renders again. */
async function renderSource(): Promise<void> {
  const questions = new Map<string, NameLookup>()
  function ask<Name extends Lookup>(lookup: Name, key: string): LookupAnswers[Name] {
    const question = { lookup, key }
    const name = lookupKey(question)
    if (!answers.has(name)) questions.set(name, question)
    return answers.get(name) as LookupAnswers[Name] // Safe: the cache is keyed by lookup.
  }
  const { html } = await renderer.renderMessage(sourceText, {
    ...settings,
    userByName: (name) => ask('userByName', name),
    userById: (id) => ask('userById', String(id)),
    groupByName: (name) => ask('groupByName', name),
    channelByName: (name) => ask('channelByName', name),
    channelById: (id) => ask('channelById', String(id)),
    realmEmoji: (name) => ask('realmEmoji', name),
    uploadPreviews: async (paths) => {
      const found = paths.map((path) => [path, ask('uploadPreview', path)] as const)
      return new Map(found.flatMap(([path, preview]) => (preview === undefined ? [] : [[path, preview] as const])))
    },
  })
  if (questions.size === 0) postToPage({ kind: 'rendered', html })
  else postToPage({ kind: 'questions', questions: [...questions.values()] })
}

function postToPage(message: FromRenderer): void {
  self.postMessage(message)
}

function cacheAnswers(given: readonly Answer[]): void {
  for (const answer of given) answers.set(lookupKey(answer), answer.found)
}

self.addEventListener('message', ({ data }: MessageEvent<ToRenderer>) => {
  if (data.kind === 'settings') {
    settings = data.settings
    return
  }
  if (data.kind === 'render') {
    sourceText = data.source
    // Any setting may have changed since the last text.
    answers.clear()
  } else cacheAnswers(data.answers)
  renderSource().catch(() => postToPage({ kind: 'failed' }))
})
