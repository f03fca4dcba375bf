import { call } from '@parley/client'
import { snippets as declared } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'

export type Snippet = declared.SavedSnippet

/** Saved snippets by title. Copied, because events change snippets in place. */
export function allSnippets(): readonly Snippet[] {
  return store()
    .read('saved_snippets')
    .map((snippet) => ({ ...snippet }))
    .toSorted((one, other) => one.title.localeCompare(other.title))
}

/**
 * Creates or updates a snippet.
 * @returns whether the server accepted the snippet
 */
export async function saveSnippet(id: number | undefined, title: string, content: string): Promise<boolean> {
  const answer =
    id === undefined
      ? await ask(declared.createSavedSnippet, { title, content })
      : await ask(declared.updateSavedSnippet, { saved_snippet_id: id, title, content })
  return answer !== undefined
}

export async function deleteSnippet({ id, title, content }: Snippet): Promise<void> {
  if ((await ask(declared.deleteSavedSnippet, { saved_snippet_id: id })) === undefined) return
  undoable(t().snippets.deleted(title), async () => call(SESSION, declared.createSavedSnippet, { title, content }))
}
