import { capability, command } from '../../platform/capability.ts'
import {
  createDefaultChannelGroup,
  deleteDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
} from './actions.ts'
import * as contract from './contract.ts'
import { defaultChannelGroupsSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const defaultChannelGroups = capability({
  name: 'default-channel-groups',
  tables: ['default_channel_groups'],
  migrations,
  exportedTables,
  limits: [contract.GROUP_LIMIT, contract.GROUPED_CHANNEL_LIMIT],
  routes: [
    command(contract.createDefaultChannelGroup, createDefaultChannelGroup),
    command(contract.updateDefaultChannelGroup, updateDefaultChannelGroup),
    command(contract.deleteDefaultChannelGroup, deleteDefaultChannelGroup),
    command(contract.updateDefaultChannelGroupChannels, updateDefaultChannelGroupChannels),
  ],
  events: [{ event: contract.defaultChannelGroupsChanged }],
  snapshot: [{ eventTypes: ['default_stream_groups'], read: defaultChannelGroupsSnapshot }],
})
