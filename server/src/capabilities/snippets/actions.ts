import type { Audience } from '../../kernel/audience.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { requireTextCapacity } from '../../kernel/limits.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'
import { SNIPPET_LIMIT, snippetAdded, snippetRemoved, snippetUpdated, type SavedSnippet } from './contract.ts'
import { snippetTotals, snippetsOf } from './queries.ts'

export async function createSavedSnippet(
  tx: ActorTx,
  input: Input<typeof contract.createSavedSnippet>,
): Promise<Output<typeof contract.createSavedSnippet>> {
  const snippet: SavedSnippet = { id: tx.nextId(), ...checkSnippet(input), date_created: tx.now }
  await tx.db
    .insertInto('saved_snippets')
    .values({ organization_id: tx.organizationId, user_id: tx.actor.userId, ...snippet })
    .execute()
  await requireSnippetCapacity(tx)
  tx.emit(snippetAdded, { saved_snippet: snippet }, ownAudience(tx))
  return { saved_snippet_id: snippet.id }
}

export async function updateSavedSnippet(
  tx: ActorTx,
  input: Input<typeof contract.updateSavedSnippet>,
): Promise<Record<string, never>> {
  const known = await ownSnippet(tx, input.saved_snippet_id)
  const snippet = {
    ...known,
    ...checkSnippet({ title: input.title ?? known.title, content: input.content ?? known.content }),
  }
  if (snippet.title === known.title && snippet.content === known.content) return {}
  await tx.db
    .updateTable('saved_snippets')
    .set({ title: snippet.title, content: snippet.content })
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', snippet.id)
    .execute()
  await requireSnippetCapacity(tx)
  tx.emit(snippetUpdated, { saved_snippet: snippet }, ownAudience(tx))
  return {}
}

export async function deleteSavedSnippet(
  tx: ActorTx,
  input: Input<typeof contract.deleteSavedSnippet>,
): Promise<Record<string, never>> {
  const { id } = await ownSnippet(tx, input.saved_snippet_id)
  await tx.db
    .deleteFrom('saved_snippets')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .execute()
  tx.emit(snippetRemoved, { saved_snippet_id: id }, ownAudience(tx))
  return {}
}

async function requireSnippetCapacity(tx: ActorTx): Promise<void> {
  requireTextCapacity(
    await snippetTotals(tx.db, tx.organizationId, tx.actor.userId),
    SNIPPET_LIMIT.most,
    'saved snippets',
  )
}

function ownAudience(tx: ActorTx): Audience {
  return { users: [tx.actor.userId] }
}

async function ownSnippet(tx: ActorTx, id: number): Promise<SavedSnippet> {
  const snippets = await snippetsOf(tx.db, tx.organizationId, tx.actor.userId)
  const snippet = snippets.find((candidate) => candidate.id === id)
  if (snippet === undefined) throw new ApiError('BAD_REQUEST', 'Saved snippet does not exist.')
  return snippet
}

function checkSnippet(input: { title: string; content: string }): { title: string; content: string } {
  const title = input.title.trim()
  const content = input.content.trim()
  if (title === '') throw new ApiError('BAD_REQUEST', 'Title cannot be empty.')
  if (content === '') throw new ApiError('BAD_REQUEST', 'Content cannot be empty.')
  return { title, content }
}
