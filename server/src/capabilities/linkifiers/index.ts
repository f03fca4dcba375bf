import { capability, command, direct, query } from '../../platform/capability.ts'
import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from './actions.ts'
import * as contract from './contract.ts'
import { legacyLinkifiers, linkifiersFold, linkifiersOf } from './queries.ts'

/** Linkifiers: what an organization's administrators turn into links, such as `#123`. */
export const linkifiers = capability({
  name: 'linkifiers',
  tables: ['realm_linkifiers'],
  folds: [linkifiersFold],
  routes: [
    query(contract.getLinkifiers, ({ world }) => ({ linkifiers: [...linkifiersOf(world)] })),
    direct(contract.addLinkifier, addLinkifier),
    direct(contract.updateLinkifier, updateLinkifier),
    command(contract.removeLinkifier, removeLinkifier),
    command(contract.reorderLinkifiers, reorderLinkifiers),
  ],
  // A client hears of them in the one form that it understands.
  events: [
    {
      event: contract.linkifiersChanged,
      present: ({ payload }, { form }) => (form.capabilities.linkifier_url_template ? payload : undefined),
    },
    {
      event: contract.legacyLinkifiersChanged,
      present: ({ payload }, { form }) => (form.capabilities.linkifier_url_template ? undefined : payload),
    },
  ],
  snapshot: [
    {
      eventTypes: ['realm_linkifiers'],
      observe: ({ world, form }) => ({
        realm_linkifiers: form.capabilities.linkifier_url_template ? linkifiersOf(world) : [],
      }),
    },
    {
      eventTypes: ['realm_filters'],
      observe: ({ world, form }) => ({
        realm_filters: form.capabilities.linkifier_url_template ? [] : legacyLinkifiers(linkifiersOf(world)),
      }),
    },
  ],
})
