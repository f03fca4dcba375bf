import type { TextTotals } from '../../kernel/limits.ts'
import type { Output } from '../../kernel/endpoint.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { SavedSnippet } from './contract.ts'
import type * as contract from './contract.ts'

const OWN_SNIPPETS = `
  select id, title, content, date_created from saved_snippets
  where organization_id = $1 and user_id = $2 order by id`

export async function snippetsOf(db: Db, organizationId: number, userId: number): Promise<SavedSnippet[]> {
  return db.rows('saved_snippets', OWN_SNIPPETS, [organizationId, userId])
}

export async function snippetTotals(db: Db, organizationId: number, userId: number): Promise<TextTotals> {
  const [kept] = await db.rows<TextTotals>(
    'kept_snippets',
    `select count(*)::int as count, coalesce(sum(char_length(content)), 0)::int as characters from saved_snippets
     where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  )
  return kept ?? { count: 0, characters: 0 }
}

export async function getSavedSnippets(reader: Reader): Promise<Output<typeof contract.getSavedSnippets>> {
  const { db, organizationId, actor } = reader
  return { saved_snippets: await snippetsOf(db, organizationId, actor.userId) }
}

export async function snippetsSnapshot(db: Db, { organization, userId }: Viewer): Promise<Record<string, unknown>> {
  return { saved_snippets: await snippetsOf(db, organization.id, userId) }
}
