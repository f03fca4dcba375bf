import { capability, command, query } from '../../platform/capability.ts'
import { createChannelFolder, reorderChannelFolders, updateChannelFolder } from './actions.ts'
import * as contract from './contract.ts'
import { ALL_FOLDERS, foldersOf } from './queries.ts'

/** Channel folders: how an organization groups its channels. */
export const channelFolders = capability({
  name: 'channel-folders',
  tables: ['channel_folders'],
  routes: [
    query(contract.getChannelFolders, async ({ db, organizationId }, { include_archived }) => {
      const folders = await db.rows<contract.ChannelFolder>('channel_folders', ALL_FOLDERS, [organizationId])
      return { channel_folders: folders.filter((folder) => include_archived || !folder.is_archived) }
    }),
    command(contract.createChannelFolder, createChannelFolder),
    command(contract.updateChannelFolder, updateChannelFolder),
    command(contract.reorderChannelFolders, reorderChannelFolders),
  ],
  events: [
    { event: contract.channelFolderAdded },
    { event: contract.channelFolderUpdated },
    { event: contract.channelFoldersReordered },
  ],
  snapshot: [
    {
      eventTypes: ['channel_folders'],
      // With the archived ones, since an event may restore them.
      read: async (db, { organization }) => ({ channel_folders: await foldersOf(db, organization.id) }),
    },
  ],
})
