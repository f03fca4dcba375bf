import { BODY_BYTES, formRequest, createList } from '../requests.js'
import { HEAVY_TEXTS } from '../texts.js'

const LONG_TEXT = 'x'.repeat(BODY_BYTES - 1_000)
const SUBSCRIPTIONS_AT_ONCE = 50_000
const PROPERTIES_AT_ONCE = 1_000
const NAME_COUNT = 45_000

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function channelInputs({ me, users, channels, group, groups, topic }) {
  const SUBSCRIBE = 'POST /users/me/subscriptions'
  const names = channels.map(({ name }) => ({ name }))
  const [channel] = channels
  const quiet = { send_new_subscription_messages: false }
  const people = Math.max(1, Math.floor(SUBSCRIPTIONS_AT_ONCE / Math.max(1, channels.length)))
  const setting = { direct_members: users.slice(0, 20_000), direct_subgroups: groups }
  const createNamed = (/** @type {string} */ name, /** @type {number} */ count) =>
    createList(count, (index) => ({ name: `${name} ${index}` }))
  return {
    getStreams: [
      formRequest('all', 'GET /streams', {
        include_all: true,
        include_default: true,
        include_owner_subscribed: true,
        exclude_archived: false,
      }),
    ],
    getSubscriptions: ['true', 'partial'].map((wanted) =>
      formRequest(`subscribers: ${wanted}`, 'GET /users/me/subscriptions', { include_subscribers: wanted }),
    ),
    subscribe: [
      formRequest('all channels, maximum people', SUBSCRIBE, {
        subscriptions: names,
        principals: users.slice(0, people),
        ...quiet,
      }),
      formRequest('everyone to one channel', SUBSCRIBE, {
        subscriptions: names.slice(0, 1),
        principals: users.slice(0, 45_000),
        ...quiet,
      }),
      formRequest('new channels with everyone', SUBSCRIBE, {
        subscriptions: createNamed('with everybody', 5),
        principals: users.slice(0, 10_000),
        ...quiet,
      }),
      formRequest('1,000 new channels', SUBSCRIBE, { subscriptions: createNamed('many', 1_000), ...quiet }),
      formRequest('1,000 new channels with descriptions', SUBSCRIBE, {
        subscriptions: createNamed('described', 1_000).map((one) => ({
          ...one,
          description: HEAVY_TEXTS['formulas']?.slice(0, 1_000),
        })),
        ...quiet,
      }),
      formRequest('too many new channels', SUBSCRIBE, { subscriptions: createNamed('too many', 16_000), ...quiet }),
      formRequest('one channel, repeated', SUBSCRIBE, {
        subscriptions: createList(1_000, () => ({ name: channel?.name })),
        principals: createList(50, () => me),
        ...quiet,
      }),
      formRequest('people by address', SUBSCRIBE, {
        subscriptions: names.slice(0, 1),
        principals: createList(NAME_COUNT, (index) => `p${index}@a.b`),
        ...quiet,
      }),
      formRequest('permissions for everyone', SUBSCRIBE, {
        subscriptions: createNamed('set', 100),
        can_send_message_group: setting,
        can_administer_channel_group: setting,
        ...quiet,
      }),
    ],
    updateSubscriptions: [
      formRequest('leave and rejoin all channels', 'PATCH /users/me/subscriptions', {
        delete: channels.map(({ name }) => name),
        add: names,
      }),
      formRequest('too many names', 'PATCH /users/me/subscriptions', {
        delete: createList(NAME_COUNT, (index) => `c${index}`),
      }),
    ],
    unsubscribe: [
      formRequest('maximum people', 'DELETE /users/me/subscriptions', {
        subscriptions: channels.map(({ name }) => name),
        principals: users.slice(0, people),
      }),
      formRequest('everyone from one channel', 'DELETE /users/me/subscriptions', {
        subscriptions: [channel?.name],
        principals: users.slice(0, 45_000),
      }),
      formRequest('too many names', 'DELETE /users/me/subscriptions', {
        subscriptions: createList(NAME_COUNT, (index) => `c${index}`),
      }),
    ],
    updateSubscriptionSettings: [
      formRequest('maximum count', 'POST /users/me/subscriptions/properties', {
        subscription_data: createList(PROPERTIES_AT_ONCE, (index) => ({
          stream_id: channels[index % channels.length]?.id,
          property: 'color',
          value: `#c2c2${10 + (index % 80)}`,
        })),
      }),
    ],
    getStreamId: [formRequest('long name', 'GET /get_stream_id', { stream: LONG_TEXT })],
    getSubscribers: channels.slice(0, 2).map(({ id }) => formRequest('many subscribers', `GET /streams/${id}/members`)),
    createChannel: [
      formRequest('everyone subscribed', 'POST /channels/create', {
        name: 'created',
        subscribers: users.slice(0, 45_000),
        description: HEAVY_TEXTS['formulas']?.slice(0, 1_000),
        ...quiet,
      }),
      formRequest('permissions for everyone', 'POST /channels/create', {
        name: 'created and set',
        subscribers: [],
        can_send_message_group: setting,
        ...quiet,
      }),
    ],
    updateChannel: [
      formRequest('permissions for everyone', `PATCH /streams/${channel?.id}`, {
        can_send_message_group: { new: setting },
        can_administer_channel_group: { new: setting },
      }),
      formRequest('make private', `PATCH /streams/${topic.channel}`, {
        is_private: true,
        history_public_to_subscribers: false,
      }),
      formRequest('make public', `PATCH /streams/${topic.channel}`, { is_private: false }),
      formRequest('long name', `PATCH /streams/${channel?.id}`, { new_name: LONG_TEXT }),
      formRequest("permission for everyone's group", `PATCH /streams/${channel?.id}`, {
        can_send_message_group: { new: group },
      }),
    ],
    archiveChannel: [formRequest('large channel', `DELETE /streams/${channel?.id}`)],
  }
}
