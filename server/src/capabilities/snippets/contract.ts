import * as z from 'zod/mini'
import { MAX_STORED_CHARACTERS, type Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { composedText, id, integer, nothing, string, text } from '../../kernel/schemas.ts'
import { LIMITS } from '../organizations/contract/index.ts'

export const MAX_TITLE_CHARACTERS = 60
export const SNIPPET_LIMIT: Limit = { most: 1_000, per: 'user', what: 'saved snippets' }
export const STORED_CHARACTER_LIMIT: Limit = {
  most: MAX_STORED_CHARACTERS,
  per: 'user',
  what: 'characters of saved snippets',
}

const title = composedText(MAX_TITLE_CHARACTERS)
const content = text(LIMITS.max_message_length)

export const savedSnippet = z.strictObject({
  id,
  title: string,
  content: string,
  date_created: integer,
})
export type SavedSnippet = z.output<typeof savedSnippet>

export const getSavedSnippets = endpoint({
  id: 'getSavedSnippets',
  method: 'GET',
  path: '/saved_snippets',
  summary: 'List your saved snippets.',
  since: 297,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ saved_snippets: z.array(savedSnippet) }),
  errors: [],
})

export const createSavedSnippet = endpoint({
  id: 'createSavedSnippet',
  method: 'POST',
  path: '/saved_snippets',
  summary: 'Create a saved snippet.',
  since: 297,
  forTokens: 'writing',
  input: z.object({ title, content }),
  output: z.object({ saved_snippet_id: id }),
  errors: ['BAD_REQUEST'],
})

export const updateSavedSnippet = endpoint({
  id: 'updateSavedSnippet',
  method: 'PATCH',
  path: '/saved_snippets/:saved_snippet_id',
  summary: 'Update a saved snippet.',
  since: 368,
  forTokens: 'writing',
  input: z.object({ saved_snippet_id: id, title: z.optional(title), content: z.optional(content) }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteSavedSnippet = endpoint({
  id: 'deleteSavedSnippet',
  method: 'DELETE',
  path: '/saved_snippets/:saved_snippet_id',
  summary: 'Delete a saved snippet.',
  since: 297,
  forTokens: 'writing',
  input: z.object({ saved_snippet_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    saved_snippets: SavedSnippet[]
  }
}

function snippetsOf(state: ClientState): SavedSnippet[] | undefined {
  return state['saved_snippets']
}

export const snippetAdded = event({
  type: 'saved_snippets',
  op: 'add',
  summary: 'The user created a saved snippet.',
  payload: z.strictObject({ saved_snippet: savedSnippet }),
  touches: ['saved_snippets'],
  apply(state, { saved_snippet }) {
    const snippets = snippetsOf(state)
    if (snippets?.some((known) => known.id === saved_snippet.id) === false) snippets.push(saved_snippet)
  },
})

export const snippetUpdated = event({
  type: 'saved_snippets',
  op: 'update',
  summary: 'The user updated a saved snippet.',
  payload: z.strictObject({ saved_snippet: savedSnippet }),
  touches: ['saved_snippets'],
  apply(state, { saved_snippet }) {
    const known = snippetsOf(state)?.find((snippet) => snippet.id === saved_snippet.id)
    if (known !== undefined) Object.assign(known, saved_snippet)
  },
})

export const snippetRemoved = event({
  type: 'saved_snippets',
  op: 'remove',
  summary: 'The user deleted a saved snippet.',
  payload: z.strictObject({ saved_snippet_id: id }),
  touches: ['saved_snippets'],
  apply(state, { saved_snippet_id }) {
    const snippets = snippetsOf(state)
    if (snippets !== undefined) {
      state['saved_snippets'] = snippets.filter((snippet) => snippet.id !== saved_snippet_id)
    }
  },
})
