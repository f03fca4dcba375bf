import { type CapabilitySamples, NEW_NAME, SETTING } from '../../../testing/capability-samples.ts'
import { CHANNELS, itemAt, createGroup, listedChannelId, someId, someChannelId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly stream_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }, { user_id }) {
    await owner.subscribe(['general'], { principals: [owner.id, user_id] })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
    return { stream_id: stream_id }
  },
  values: ({ user_id }) => ({ principals: [user_id], subscribers: [user_id] }),
  inputs: {
    subscribe: () => ({ subscriptions: [{ name: 'general', description: 'Everything' }] }),
    updateSubscriptions: () => ({
      add: [{ name: 'general', color: '#c2c2c2', description: 'Everything' }],
      delete: [],
    }),
    unsubscribe: () => ({ subscriptions: ['general'] }),
  },
  names: {
    stream_id: 'channel',
    stream: 'channel',
    subscriptions: 'channel',
    principals: 'user',
    subscribers: 'user',
    'updateSubscriptions.delete': 'channel',
    'updateSubscriptions.name': 'new channel',
    'subscribe.name': 'new channel',
    'createChannel.name': 'new channel',
  },
  namesNothing: { color: SETTING, message_retention_days: SETTING, new_name: NEW_NAME },
}

const NAMES = ['Alpha', 'beta', 'Gamma rays', 'δέλτα', 'Ω', 'Ωmega']
const PERMISSIONS = ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group']
const PROPERTIES = ['color', 'is_muted', 'in_home_view', 'pin_to_top', 'push_notifications', 'email_notifications']

export const steps: CapabilitySteps = {
  steps: {
    'create channel': async ({ actor, other, what, more }) =>
      actor.try('POST', '/channels/create', {
        name: NAMES[what % NAMES.length],
        subscribers: more % 2 === 0 ? [other.id] : [actor.id, other.id],
        invite_only: more % 3 === 0,
        is_default_stream: more % 4 === 0,
        ...(more % 5 === 0 ? { can_subscribe_group: { direct_members: [other.id], direct_subgroups: [] } } : {}),
      }),
    'rename channel': async ({ actor, what, more }) =>
      changeChannel(actor, what, { new_name: NAMES[more % NAMES.length], description: `**${more}**` }),
    'convert channel': async ({ actor, what, more }) =>
      changeChannel(actor, what, {
        is_private: more % 3 !== 0,
        ...(more % 2 === 0 ? { history_public_to_subscribers: more % 4 === 0 } : {}),
      }),
    'let into channel': async ({ actor, other, what, more }) =>
      changeChannel(actor, what, {
        [PERMISSIONS[more % PERMISSIONS.length] ?? '']: {
          new: { direct_members: more % 2 === 0 ? [other.id] : [], direct_subgroups: [] },
        },
      }),
    'set up channel': async ({ actor, what, more }) =>
      changeChannel(actor, what, {
        is_default_stream: more % 2 === 0,
        message_retention_days: more % 3 === 0 ? 'unlimited' : 7,
        folder_id: more % 5 === 0 ? await someId(actor, 'channel_folders', more) : null,
        topics_policy: more % 7 === 0 ? 'empty_topic_only' : 'inherit',
      }),
    'archive channel': async ({ actor, what }) => actor.try('DELETE', `/streams/${await someChannelId(actor, what)}`),
    'unarchive channel': async ({ actor, what, more }) => {
      const id = await someChannelId(actor, what, true)
      return actor.try('PATCH', `/streams/${id}`, {
        is_archived: false,
        ...(more % 3 === 0 ? { is_private: more % 2 === 0 } : {}),
      })
    },
    'make default': async ({ actor, what, more }) =>
      actor.try(more % 2 === 0 ? 'POST' : 'DELETE', '/default_streams', {
        stream_id: await someChannelId(actor, what),
      }),
    'join and leave': async ({ actor, what, more }) =>
      actor.try('PATCH', '/users/me/subscriptions', {
        add: [{ name: NAMES[what % NAMES.length], color: '#123456' }],
        delete: [NAMES[more % NAMES.length]],
      }),
    'show private to group': async ({ actor, what, more }) =>
      actor.try('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: `For group ${more % 3}` }],
        invite_only: more % 2 === 0,
        can_subscribe_group: await createGroup(actor, what),
      }),
  },
  messageSteps: {
    subscribe: async ({ actor, what }) => subscribe(actor, what),
    'subscribe others': async ({ actor, other, what }) => subscribe(actor, what, { principals: [other.id, actor.id] }),
    'create private': async ({ actor, other, what, more }) =>
      subscribe(actor, what, {
        invite_only: true,
        history_public_to_subscribers: more % 2 === 0,
        ...(more % 3 === 0 ? { can_subscribe_group: { direct_members: [other.id], direct_subgroups: [] } } : {}),
      }),
    unsubscribe: async ({ actor, what }) =>
      actor.try('DELETE', '/users/me/subscriptions', { subscriptions: [itemAt(CHANNELS, what)] }),
    'unsubscribe others': async ({ actor, other, what }) =>
      actor.try('DELETE', '/users/me/subscriptions', {
        subscriptions: [itemAt(CHANNELS, what)],
        principals: [other.id],
      }),
    'choose for channel': async ({ actor, what, more, rest }) => {
      const property = itemAt(PROPERTIES, more)
      const value = property === 'color' ? `#00000${rest % 10}` : rest % 2 === 0
      return actor.try('PATCH', `/users/me/subscriptions/${await listedChannelId(actor, what)}`, { property, value })
    },
  },
}

async function changeChannel(actor: TestUser, which: number, changes: Readonly<Record<string, unknown>>) {
  return actor.try('PATCH', `/streams/${await someChannelId(actor, which)}`, changes)
}

async function subscribe(actor: TestUser, which: number, more: Readonly<Record<string, unknown>> = {}) {
  return actor.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: itemAt(CHANNELS, which) }], ...more })
}
