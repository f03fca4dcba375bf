import type { ClientForm } from '../../kernel/viewer.ts'
import { capability, command, query } from '../../platform/capability.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { createDrafts, deleteDraft, updateDraft } from './actions.ts'
import * as contract from './contract.ts'
import { draftsOf, OWN_DRAFTS } from './queries.ts'

/** Drafts: messages that people have begun, on all their clients. */
export const drafts = capability({
  name: 'drafts',
  tables: ['drafts'],
  routes: [
    query(contract.getDrafts, async ({ db, organizationId, actor }) => {
      const kept = await db.rows<contract.Draft>('drafts', OWN_DRAFTS, [organizationId, actor.userId])
      return { count: kept.length, drafts: kept }
    }),
    command(contract.createDrafts, createDrafts),
    command(contract.updateDraft, updateDraft),
    command(contract.deleteDraft, deleteDraft),
  ],
  events: [
    {
      event: contract.draftsAdded,
      toClient: ({ payload }, { form }) => {
        // The payload is the declared one.
        const { drafts: added } = payload as { drafts: contract.Draft[] }
        return { drafts: added.map((draft) => shownTo(form, draft)) }
      },
    },
    {
      event: contract.draftUpdated,
      // As above.
      toClient: ({ payload }, { form }) => ({ draft: shownTo(form, (payload as { draft: contract.Draft }).draft) }),
    },
    { event: contract.draftRemoved },
  ],
  snapshot: [
    {
      eventTypes: ['drafts'],
      read: async (db, { organization, userId, form }) => {
        const kept = await draftsOf(db, organization.id, userId)
        return { drafts: kept.map((draft) => shownTo(form, draft)) }
      },
    },
  ],
})

/** For clients that do not know the empty topic, its name. */
function shownTo({ capabilities }: ClientForm, draft: contract.Draft): contract.Draft {
  return draft.type === 'stream' ? { ...draft, topic: presentTopic(draft.topic, capabilities.empty_topic_name) } : draft
}
