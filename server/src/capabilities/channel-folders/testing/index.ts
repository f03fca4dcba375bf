import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { listIds, someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly channel_folder_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', { name: 'Any', description: '' })
    return { channel_folder_id: channel_folder_id }
  },
  values: ({ channel_folder_id }) => ({ folder_id: channel_folder_id }),
  names: { channel_folder_id: 'folder', folder_id: 'folder', 'reorderChannelFolders.order': 'folder' },
  hidden: { folder: { sample: 'channel_folder_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'make folder': async ({ actor, what, more }) =>
      actor.try('POST', '/channel_folders/create', { name: `Folder ${what % 5}`, description: `**${more}**` }),
    'change folder': async ({ actor, what, more }) =>
      actor.try('PATCH', `/channel_folders/${await someId(actor, 'channel_folders', what)}`, {
        ...(more % 2 === 0 ? { is_archived: more % 4 === 0 } : {}),
        ...(more % 3 === 0 ? { name: `Folder ${more % 5}`, description: `_${more}_` } : {}),
      }),
    'order folders': async ({ actor, what }) => {
      const order = await listIds(actor, 'channel_folders')
      const from = what % Math.max(order.length, 1)
      return actor.try('PATCH', '/channel_folders', { order: [...order.slice(from), ...order.slice(0, from)] })
    },
    'create in folder': async ({ actor, what, more }) =>
      actor.try('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: `In folder ${more % 3}` }],
        folder_id: await someId(actor, 'channel_folders', what),
      }),
  },
}
