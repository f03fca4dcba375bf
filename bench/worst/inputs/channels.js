import { BODY_BYTES, form, list } from '../requests.js'
import { HEAVY_TEXTS } from '../texts.js'

const LONG = 'x'.repeat(BODY_BYTES - 1_000)
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
      form('all channels and as many people as may be', SUBSCRIBE, {
        subscriptions: names,
        principals: users.slice(0, people),
        ...quiet,
      }),
      form('everybody to one', SUBSCRIBE, {
        subscriptions: names.slice(0, 1),
        principals: users.slice(0, 45_000),
        ...quiet,
      }),
      form('new ones, with everybody', SUBSCRIBE, {
        subscriptions: createNamed('with everybody', 5),
        principals: users.slice(0, 10_000),
        ...quiet,
      }),
      form('a thousand new ones', SUBSCRIBE, { subscriptions: createNamed('many', 1_000), ...quiet }),
      form('a thousand new ones with descriptions', SUBSCRIBE, {
        subscriptions: createNamed('described', 1_000).map((one) => ({
          ...one,
          description: HEAVY_TEXTS['formulas']?.slice(0, 1_000),
        })),
        ...quiet,
      }),
      form('more than may be', SUBSCRIBE, { subscriptions: createNamed('too many', 16_000), ...quiet }),
      form('one again and again', SUBSCRIBE, {
        subscriptions: list(1_000, () => ({ name: channel?.name })),
        principals: list(50, () => me),
        ...quiet,
      }),
      form('people by addresses', SUBSCRIBE, {
        subscriptions: names.slice(0, 1),
        principals: list(NAMES_IN_JSON, (index) => `p${index}@a.b`),
        ...quiet,
      }),
      form('settings of everybody', SUBSCRIBE, {
        subscriptions: createNamed('set', 100),
        can_send_message_group: setting,
        can_administer_channel_group: setting,
        ...quiet,
      }),
    ],
    updateSubscriptions: [
      form('all out and in', 'PATCH /users/me/subscriptions', { delete: channels.map(({ name }) => name), add: names }),
      form('more than may be', 'PATCH /users/me/subscriptions', {
        delete: list(NAMES_IN_JSON, (index) => `c${index}`),
      }),
    ],
    unsubscribe: [
      form('as many people as may be', 'DELETE /users/me/subscriptions', {
        subscriptions: channels.map(({ name }) => name),
        principals: users.slice(0, people),
      }),
      form('everybody from one', 'DELETE /users/me/subscriptions', {
        subscriptions: [channel?.name],
        principals: users.slice(0, 45_000),
      }),
      form('more than may be', 'DELETE /users/me/subscriptions', {
        subscriptions: list(NAMES_IN_JSON, (index) => `c${index}`),
      }),
    ],
    updateSubscriptionSettings: [
      form('as many as may be', 'POST /users/me/subscriptions/properties', {
        subscription_data: list(PROPERTIES_AT_ONCE, (index) => ({
          stream_id: channels[index % channels.length]?.id,
          property: 'color',
          value: `#c2c2${10 + (index % 80)}`,
        })),
      }),
    ],
    getStreamId: [form('a long name', 'GET /get_stream_id', { stream: LONG })],
    getSubscribers: channels.slice(0, 2).map(({ id }) => form('many', `GET /streams/${id}/members`)),
    createChannel: [
      form('with everybody', 'POST /channels/create', {
        name: 'created',
        subscribers: users.slice(0, 45_000),
        description: HEAVY_TEXTS['formulas']?.slice(0, 1_000),
        ...quiet,
      }),
      form('settings of everybody', 'POST /channels/create', {
        name: 'created and set',
        subscribers: [],
        can_send_message_group: setting,
        ...quiet,
      }),
    ],
    updateChannel: [
      form('settings of everybody', `PATCH /streams/${channel?.id}`, {
        can_send_message_group: { new: setting },
        can_administer_channel_group: { new: setting },
      }),
      form('made private', `PATCH /streams/${topic.channel}`, {
        is_private: true,
        history_public_to_subscribers: false,
      }),
      form('made public', `PATCH /streams/${topic.channel}`, { is_private: false }),
      form('a long name', `PATCH /streams/${channel?.id}`, { new_name: LONG }),
      form('open to a group of all', `PATCH /streams/${channel?.id}`, { can_send_message_group: { new: group } }),
    ],
    archiveChannel: [form('a large one', `DELETE /streams/${channel?.id}`)],
  }
}
