import { type CapabilitySamples, API_WORD, NEW_NAME, OWN_WORDS } from '../../../testing/capability-samples.ts'
import { itemAt, CHANNELS, listIds } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly default_channel_group_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    await owner.call('POST', '/default_stream_groups/create', { group_name: 'Any', description: 'x', stream_names: [] })
    const [id = 0] = await groupsOf(owner)
    return { default_channel_group_id: id }
  },
  inputs: {
    createDefaultChannelGroup: () => ({ stream_names: ['general'] }),
    updateDefaultChannelGroup: ({ default_channel_group_id }) => ({ group_id: default_channel_group_id }),
    deleteDefaultChannelGroup: ({ default_channel_group_id }) => ({ group_id: default_channel_group_id }),
    updateDefaultChannelGroupChannels: ({ default_channel_group_id }) => ({
      group_id: default_channel_group_id,
      stream_names: ['general'],
    }),
  },
  names: { group_id: 'default channel group', stream_names: 'channel' },
  namesNothing: { group_name: NEW_NAME, new_group_name: NEW_NAME, new_description: OWN_WORDS, op: API_WORD },
  hidden: { 'default channel group': { sample: 'default_channel_group_id', of: 'another organization' } },
}

async function groupsOf(user: TestUser): Promise<number[]> {
  return listIds(user, 'realm_default_stream_groups', 'id', 'default_stream_groups')
}

async function someGroup(user: TestUser, which: number): Promise<number> {
  const ids = await groupsOf(user)
  return ids[which % ids.length] ?? 999_999
}

export const steps: CapabilitySteps = {
  steps: {
    'make default channel group': async ({ actor, what, more }) =>
      actor.try('POST', '/default_stream_groups/create', {
        group_name: `Group ${what % 5}`,
        description: `For ${more}`,
        stream_names: [itemAt(CHANNELS, more)],
      }),
    'change default channel group': async ({ actor, what, more }) =>
      actor.try('PATCH', `/default_stream_groups/${await someGroup(actor, what)}`, {
        new_group_name: `Group ${more % 5}`,
        ...(more % 2 === 0 ? { new_description: `For ${more}` } : {}),
      }),
    'put into default channel group': async ({ actor, what, more }) =>
      actor.try('PATCH', `/default_stream_groups/${await someGroup(actor, what)}/streams`, {
        op: more % 3 === 0 ? 'remove' : 'add',
        stream_names: [itemAt(CHANNELS, more)],
      }),
    'delete default channel group': async ({ actor, what }) =>
      actor.try('DELETE', `/default_stream_groups/${await someGroup(actor, what)}`),
  },
}
