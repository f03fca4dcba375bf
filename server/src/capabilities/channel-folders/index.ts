import { capability, command, query } from '../../platform/capability.ts'
import { createChannelFolder, reorderChannelFolders, updateChannelFolder } from './actions.ts'
import * as contract from './contract.ts'
import { channelFoldersSnapshot, getChannelFolders } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const channelFolders = capability({
  name: 'channel-folders',
  tables: ['channel_folders'],
  migrations,
  exportedTables,
  limits: [contract.FOLDER_LIMIT],
  routes: [
    query(contract.getChannelFolders, getChannelFolders),
    command(contract.createChannelFolder, createChannelFolder),
    command(contract.updateChannelFolder, updateChannelFolder),
    command(contract.reorderChannelFolders, reorderChannelFolders),
  ],
  events: [
    { event: contract.channelFolderAdded },
    { event: contract.channelFolderUpdated },
    { event: contract.channelFoldersReordered },
  ],
  snapshot: [{ eventTypes: ['channel_folders'], read: channelFoldersSnapshot }],
})
