import { capability, command, direct, query } from '../../platform/capability.ts'
import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from './actions.ts'
import * as contract from './contract.ts'
import { legacyLinkifiers, linkifiersProjection, linkifiersOf } from './queries.ts'

/** Linkifiers: what an organization's administrators turn into links, such as `#123`. */
export const linkifiers = capability({
  name: 'linkifiers',
  tables: ['realm_linkifiers'],
  projections: [linkifiersProjection],
  routes: [
    query(contract.getLinkifiers, ({ organization }) => ({ linkifiers: [...linkifiersOf(organization)] })),
    direct(contract.addLinkifier, addLinkifier),
    direct(contract.updateLinkifier, updateLinkifier),
    command(contract.removeLinkifier, removeLinkifier),
    command(contract.reorderLinkifiers, reorderLinkifiers),
  ],
  // A client hears of them in the one form that it understands.
  events: [
    {
      event: contract.linkifiersChanged,
      toClient: ({ payload }, { form }) => (form.capabilities.linkifier_url_template ? payload : undefined),
    },
    {
      event: contract.legacyLinkifiersChanged,
      toClient: ({ payload }, { form }) => (form.capabilities.linkifier_url_template ? undefined : payload),
    },
  ],
  snapshot: [
    {
      eventTypes: ['realm_linkifiers'],
      observe: ({ organization, form }) => ({
        realm_linkifiers: form.capabilities.linkifier_url_template ? linkifiersOf(organization) : [],
      }),
    },
    {
      eventTypes: ['realm_filters'],
      observe: ({ organization, form }) => ({
        realm_filters: form.capabilities.linkifier_url_template ? [] : legacyLinkifiers(linkifiersOf(organization)),
      }),
    },
  ],
})
