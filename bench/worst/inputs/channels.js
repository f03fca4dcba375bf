import { BODY_BYTES, form, list } from '../requests.js'
import { HEAVY_TEXTS } from '../texts.js'

const LONG_TEXT = 'x'.repeat(BODY_BYTES - 1_000)
const SUBSCRIPTIONS_AT_ONCE = 50_000
const PROPERTIES_AT_ONCE = 1_000
const NAMES_IN_JSON = 45_000

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function channelInputs({ me, users, channels, group, groups, topic }) {
  const SUBSCRIBE = 'POST /users/me/subscriptions'
  const names = channels.map(({ name }) => ({ name }))
  const [channel] = channels
  const quiet = { send_new_subscription_messages: false }
  const people = Math.max(1, Math.floor(SUBSCRIPTIONS_AT_ONCE / Math.max(1, channels.length)))
  const setting = { direct_members: users.slice(0, 20_000), direct_subgroups: groups }
  const createNamed = (/** @type {string} */ name, /** @type {number} */ count) =>
    list(count, (index) => ({ name: `${name} ${index}` }))
  return {
    getStreams: [
      form('all', 'GET /streams', {
        include_all: true,
        include_default: true,
        include_owner_subscribed: true,
        exclude_archived: false,
      }),
    ],
    getSubscriptions: ['true', 'partial'].map((wanted) =>
      form(`subscribers: ${wanted}`, 'GET /users/me/subscriptions', { include_subscribers: wanted }),
    ),
    subscribe: [
      form('all channels, maximum people', SUBSCRIBE, {
        subscriptions: names,
        principals: users.slice(0, people),
        ...quiet,
      }),
      form('everyone to one channel', SUBSCRIBE, {
        subscriptions: names.slice(0, 1),
        principals: users.slice(0, 45_000),
        ...quiet,
      }),
      form('new channels with everyone', SUBSCRIBE, {
        subscriptions: createNamed('with everybody', 5),
        principals: users.slice(0, 10_000),
        ...quiet,
      }),
      form('1,000 new channels', SUBSCRIBE, { subscriptions: createNamed('many', 1_000), ...quiet }),
      form('1,000 new channels with descriptions', SUBSCRIBE, {
        subscriptions: createNamed('described', 1_000).map((one) => ({
          ...one,
          description: HEAVY_TEXTS['formulas']?.slice(0, 1_000),
        })),
        ...quiet,
      }),
      form('too many new channels', SUBSCRIBE, { subscriptions: createNamed('too many', 16_000), ...quiet }),
      form('one channel, repeated', SUBSCRIBE, {
        subscriptions: list(1_000, () => ({ name: channel?.name })),
        principals: list(50, () => me),
        ...quiet,
      }),
      form('people by address', SUBSCRIBE, {
        subscriptions: names.slice(0, 1),
        principals: list(NAMES_IN_JSON, (index) => `p${index}@a.b`),
        ...quiet,
      }),
      form('permissions for everyone', SUBSCRIBE, {
        subscriptions: createNamed('set', 100),
        can_send_message_group: setting,
        can_administer_channel_group: setting,
        ...quiet,
      }),
    ],
    updateSubscriptions: [
      form('leave and rejoin all channels', 'PATCH /users/me/subscriptions', {
        delete: channels.map(({ name }) => name),
        add: names,
      }),
      form('too many names', 'PATCH /users/me/subscriptions', {
        delete: list(NAMES_IN_JSON, (index) => `c${index}`),
      }),
    ],
    unsubscribe: [
      form('maximum people', 'DELETE /users/me/subscriptions', {
        subscriptions: channels.map(({ name }) => name),
        principals: users.slice(0, people),
      }),
      form('everyone from one channel', 'DELETE /users/me/subscriptions', {
        subscriptions: [channel?.name],
        principals: users.slice(0, 45_000),
      }),
      form('too many names', 'DELETE /users/me/subscriptions', {
        subscriptions: list(NAMES_IN_JSON, (index) => `c${index}`),
      }),
    ],
    updateSubscriptionSettings: [
      form('maximum count', 'POST /users/me/subscriptions/properties', {
        subscription_data: list(PROPERTIES_AT_ONCE, (index) => ({
          stream_id: channels[index % channels.length]?.id,
          property: 'color',
          value: `#c2c2${10 + (index % 80)}`,
        })),
      }),
    ],
    getStreamId: [form('long name', 'GET /get_stream_id', { stream: LONG_TEXT })],
    getSubscribers: channels.slice(0, 2).map(({ id }) => form('many subscribers', `GET /streams/${id}/members`)),
    createChannel: [
      form('everyone subscribed', 'POST /channels/create', {
        name: 'created',
        subscribers: users.slice(0, 45_000),
        description: HEAVY_TEXTS['formulas']?.slice(0, 1_000),
        ...quiet,
      }),
      form('permissions for everyone', 'POST /channels/create', {
        name: 'created and set',
        subscribers: [],
        can_send_message_group: setting,
        ...quiet,
      }),
    ],
    updateChannel: [
      form('permissions for everyone', `PATCH /streams/${channel?.id}`, {
        can_send_message_group: { new: setting },
        can_administer_channel_group: { new: setting },
      }),
      form('make private', `PATCH /streams/${topic.channel}`, {
        is_private: true,
        history_public_to_subscribers: false,
      }),
      form('make public', `PATCH /streams/${topic.channel}`, { is_private: false }),
      form('long name', `PATCH /streams/${channel?.id}`, { new_name: LONG_TEXT }),
      form("permission for everyone's group", `PATCH /streams/${channel?.id}`, {
        can_send_message_group: { new: group },
      }),
    ],
    archiveChannel: [form('large channel', `DELETE /streams/${channel?.id}`)],
  }
}
