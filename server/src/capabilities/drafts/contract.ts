import * as z from 'zod/mini'
import { MAX_STORED_CHARACTERS, type Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { id, ids, integer, nothing, string, text } from '../../kernel/schemas.ts'
import { LIMITS } from '../organizations/contract/index.ts'

/** Clients accept this many drafts in the register response, so the response can contain all drafts. */
export const DRAFT_LIMIT: Limit = { most: 1_000, per: 'user', what: 'drafts' }
export const STORED_CHARACTER_LIMIT: Limit = { most: MAX_STORED_CHARACTERS, per: 'user', what: 'characters of drafts' }
export const MAX_RECIPIENTS = 1_000

/** Empty if the recipient is not chosen yet. */
const draftType = z.enum(['', 'stream', 'private'])

export const draft = z.strictObject({
  id,
  type: draftType,
  /** ID of a channel, or IDs of any number of users, depending on the type. */
  to: ids,
  topic: string,
  content: string,
  /** UNIX seconds of the last edit. */
  timestamp: integer,
})
export type Draft = z.output<typeof draft>

const draftInput = z.strictObject({
  /** Ignored, so that clients can send back a stored draft with its ID. */
  id: z.optional(integer),
  type: draftType,
  to: z.array(id).check(z.maxLength(MAX_RECIPIENTS)),
  topic: string,
  content: text(LIMITS.max_message_length),
  /** UNIX seconds. Some clients send fractions, which are truncated. */
  timestamp: z.optional(z.pipe(z.pipe(z.number(), z.transform(Math.floor)), integer)),
})
export type DraftInput = z.output<typeof draftInput>

export const getDrafts = endpoint({
  id: 'getDrafts',
  method: 'GET',
  path: '/drafts',
  summary: 'List your drafts.',
  since: 0,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ count: integer, drafts: z.array(draft) }),
  errors: [],
})

export const createDrafts = endpoint({
  id: 'createDrafts',
  method: 'POST',
  path: '/drafts',
  summary: 'Create drafts.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ drafts: z.array(draftInput).check(z.maxLength(DRAFT_LIMIT.most)) }),
  output: z.object({ ids: ids }),
  errors: ['BAD_REQUEST'],
})

export const updateDraft = endpoint({
  id: 'updateDraft',
  method: 'PATCH',
  path: '/drafts/:draft_id',
  summary: 'Update a draft.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ draft_id: id, draft: draftInput }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteDraft = endpoint({
  id: 'deleteDraft',
  method: 'DELETE',
  path: '/drafts/:draft_id',
  summary: 'Delete a draft.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ draft_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    drafts: Draft[]
  }
}

function draftsIn(state: ClientState): Draft[] | undefined {
  return state['drafts']
}

export const draftsAdded = event({
  type: 'drafts',
  op: 'add',
  summary: 'The user created drafts.',
  payload: z.strictObject({ drafts: z.array(draft) }),
  touches: ['drafts'],
  apply(state, { drafts: added }) {
    const drafts = draftsIn(state)
    const known = new Set(drafts?.map((kept) => kept.id))
    drafts?.push(...added.filter((one) => !known.has(one.id)))
  },
})

export const draftUpdated = event({
  type: 'drafts',
  op: 'update',
  summary: 'The user updated a draft.',
  payload: z.strictObject({ draft }),
  touches: ['drafts'],
  apply(state, { draft: changed }) {
    const known = draftsIn(state)?.find((kept) => kept.id === changed.id)
    if (known !== undefined) Object.assign(known, changed)
  },
})

export const draftRemoved = event({
  type: 'drafts',
  op: 'remove',
  summary: 'The user deleted a draft.',
  payload: z.strictObject({ draft_id: id }),
  touches: ['drafts'],
  apply(state, { draft_id }) {
    const drafts = draftsIn(state)
    if (drafts !== undefined) state['drafts'] = drafts.filter((kept) => kept.id !== draft_id)
  },
})
