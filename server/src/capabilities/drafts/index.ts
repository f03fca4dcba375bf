import { capability, command, query } from '../../platform/capability.ts'
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
  events: [{ event: contract.draftsAdded }, { event: contract.draftUpdated }, { event: contract.draftRemoved }],
  snapshot: [
    {
      eventTypes: ['drafts'],
      read: async (db, { world, userId }) => ({ drafts: await draftsOf(db, world.organizationId, userId) }),
    },
  ],
})
