import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly channel_folder_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', { name: 'Any', description: '' })
    return { channel_folder_id: Number(channel_folder_id) }
  },
  values: ({ channel_folder_id }) => ({ folder_id: channel_folder_id }),
  names: { channel_folder_id: 'folder', folder_id: 'folder', 'reorderChannelFolders.order': 'folder' },
  hidden: { folder: { sample: 'channel_folder_id', of: 'another organization' } },
}
