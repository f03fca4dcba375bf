import type { TextTotals } from '../../kernel/limits.ts'
import type { Output } from '../../kernel/endpoint.ts'
import type { EventOf } from '../../kernel/event-binding.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { ClientForm, Viewer } from '../../kernel/viewer.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import type { Draft } from './contract.ts'
import type * as contract from './contract.ts'

const OWN_DRAFTS = `
  select id, type, recipient_ids as "to", topic, content, last_edited as timestamp from drafts
  where organization_id = $1 and user_id = $2 order by id`

async function draftsOf(db: Db, organizationId: number, userId: number): Promise<Draft[]> {
  return db.rows('drafts', OWN_DRAFTS, [organizationId, userId])
}

export async function getDrafts({ db, organizationId, actor }: Reader): Promise<Output<typeof contract.getDrafts>> {
  const kept = await draftsOf(db, organizationId, actor.userId)
  return { count: kept.length, drafts: kept }
}

export async function draftsSnapshot(db: Db, { organization, userId, form }: Viewer): Promise<Record<string, unknown>> {
  const kept = await draftsOf(db, organization.id, userId)
  return { drafts: kept.map((draft) => presentDraft(form, draft)) }
}

export async function draftTotals(db: Db, organizationId: number, userId: number): Promise<TextTotals> {
  const [kept] = await db.rows<TextTotals>(
    'kept_drafts',
    `select count(*)::int as count, coalesce(sum(char_length(content)), 0)::int as characters from drafts
     where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  )
  return kept ?? { count: 0, characters: 0 }
}

/** Replaces the empty topic for clients that do not support it. */
function presentDraft({ capabilities }: ClientForm, draft: Draft): Draft {
  return draft.type === 'stream' ? { ...draft, topic: presentTopic(draft.topic, capabilities.empty_topic_name) } : draft
}

export function draftsAddedToClient(
  { payload }: EventOf<typeof contract.draftsAdded>,
  { form }: Viewer,
): Record<string, unknown> {
  return { drafts: payload.drafts.map((draft) => presentDraft(form, draft)) }
}

export function draftUpdatedToClient(
  { payload }: EventOf<typeof contract.draftUpdated>,
  { form }: Viewer,
): Record<string, unknown> {
  return { draft: presentDraft(form, payload.draft) }
}
