import { capability, command, query } from '../../platform/capability.ts'
import {
  createChannelLink,
  deleteChannelLink,
  pinMessage,
  reorderChannelLinks,
  unpinMessage,
  updateChannelLink,
} from './actions.ts'
import * as contract from './contract.ts'
import { getChannelPins, pinToClient } from './queries.ts'
import { isLinkEventWanted, isPinEventWanted } from './rules.ts'
import { exportedTables, migrations } from './tables.ts'

export const pins = capability({
  name: 'pins',
  tables: ['channel_pins', 'channel_links'],
  reads: ['messages', 'topics'],
  migrations,
  exportedTables,
  limits: [contract.PIN_LIMIT, contract.LINK_LIMIT],
  routes: [
    query(contract.getChannelPins, getChannelPins),
    command(contract.pinMessage, pinMessage),
    command(contract.unpinMessage, unpinMessage),
    command(contract.createChannelLink, createChannelLink),
    command(contract.updateChannelLink, updateChannelLink),
    command(contract.deleteChannelLink, deleteChannelLink),
    command(contract.reorderChannelLinks, reorderChannelLinks),
  ],
  // The actions write the audit log, because these events also occur when messages are moved or deleted.
  events: [
    { event: contract.pinAdded, administration: false, isWanted: isPinEventWanted, toClient: pinToClient },
    { event: contract.pinRemoved, administration: false, isWanted: isPinEventWanted },
    { event: contract.linkAdded, administration: false, isWanted: isLinkEventWanted },
    { event: contract.linkUpdated, administration: false, isWanted: isLinkEventWanted },
    { event: contract.linkRemoved, administration: false, isWanted: isLinkEventWanted },
    { event: contract.linksReordered, administration: false, isWanted: isLinkEventWanted },
  ],
})
