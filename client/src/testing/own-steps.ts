import { sendFiles } from '../../../server/src/testing/files.ts'
import type { TestUser } from '../../../server/src/testing/user.ts'
import { groups, listed, made, sentIn, some, someChannel } from './look-up.ts'
import type { Doing } from './scene.ts'

const CHANNELS = ['Alpha', 'beta', 'Gamma rays', 'δέλτα', 'Ω', 'Ωmega']
const PERMISSIONS = ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group']

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const FRAGMENTS = ['inbox', 'narrow/is/alerted', 'narrow/channel/1-a/topic/b.20c', 'δ?#%']

/**
 * Steps of generated histories that change what people keep for themselves, and what administrators keep for all.
 * What is not allowed is refused, and that is a step too.
 */
export const OWN_STEPS = {
  'change logo': async ({ actor, what, more }) =>
    more % 2 === 0
      ? sendFiles(actor, `/realm/logo?night=${what % 2 === 0}`, [{ name: 'a.png', content: PICTURE }])
      : actor.try('DELETE', '/realm/logo', { night: what % 2 === 0 }),
  'add view': async ({ actor, what, more }) =>
    actor.try('POST', '/navigation_views', {
      fragment: fragment(what),
      is_pinned: more % 2 === 0,
      ...(more % 3 === 0 ? {} : { name: `View ${more}` }),
    }),
  'change view': async ({ actor, what, more }) =>
    actor.try(
      'PATCH',
      `/navigation_views/${await someView(actor, what)}`,
      more % 2 === 0 ? { is_pinned: more % 4 === 0 } : { name: `View ${more}` },
    ),
  'remove view': async ({ actor, what }) => actor.try('DELETE', `/navigation_views/${await someView(actor, what)}`),
  'add playground': async ({ actor, what, more }) =>
    actor.try('POST', '/realm/playgrounds', {
      name: `Playground ${more % 5}`,
      highlighter_language: `Language ${what % 3}`,
      url_template: 'https://play.example/{code}',
    }),
  'remove playground': async ({ actor, what }) =>
    actor.try('DELETE', `/realm/playgrounds/${await some(actor, 'realm_playgrounds', what)}`),
  'add domain': async ({ actor, what, more }) =>
    actor.try('POST', '/realm/domains', { domain: `d${what % 3}.example`, allow_subdomains: more % 2 === 0 }),
  'change domain': async ({ actor, what, more }) =>
    actor.try('PATCH', `/realm/domains/d${what % 3}.example`, { allow_subdomains: more % 2 === 0 }),
  'remove domain': async ({ actor, what, more }) => {
    if (more % 2 === 0) await actor.try('PATCH', '/realm', { emails_restricted_to_domains: true })
    return actor.try('DELETE', `/realm/domains/d${what % 3}.example`)
  },
  'add linkifier': async ({ actor, what, more }) =>
    actor.try('POST', '/realm/filters', {
      pattern: `#${what % 4}(?P<id>[0-9]+)`,
      url_template: more % 2 === 0 ? 'https://bugs.example/100%/{id}' : 'https://bugs.example/{?id}',
    }),
  'change linkifier': async ({ actor, what, more }) =>
    actor.try('PATCH', `/realm/filters/${await someLinkifier(actor, what)}`, {
      pattern: `#${more % 4}(?P<id>[0-9]+)`,
      url_template: 'https://bugs.example/{id}',
    }),
  'remove linkifier': async ({ actor, what }) =>
    actor.try('DELETE', `/realm/filters/${await someLinkifier(actor, what)}`),
  'order linkifiers': async ({ actor, what }) => {
    const order = await linkifiers(actor)
    const from = what % Math.max(order.length, 1)
    return actor.try('PATCH', '/realm/linkifiers', {
      ordered_linkifier_ids: [...order.slice(from), ...order.slice(0, from)],
    })
  },
  'make folder': async ({ actor, what, more }) =>
    actor.try('POST', '/channel_folders/create', { name: `Folder ${what % 5}`, description: `**${more}**` }),
  'change folder': async ({ actor, what, more }) =>
    actor.try('PATCH', `/channel_folders/${await some(actor, 'channel_folders', what)}`, {
      ...(more % 2 === 0 ? { is_archived: more % 4 === 0 } : {}),
      ...(more % 3 === 0 ? { name: `Folder ${more % 5}`, description: `_${more}_` } : {}),
    }),
  'order folders': async ({ actor, what }) => {
    const order = await listed(actor, 'channel_folders')
    const from = what % Math.max(order.length, 1)
    return actor.try('PATCH', '/channel_folders', { order: [...order.slice(from), ...order.slice(0, from)] })
  },
  'create in folder': async ({ actor, what, more }) =>
    actor.try('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: `In folder ${more % 3}` }],
      folder_id: await some(actor, 'channel_folders', what),
    }),
  'create channel': async ({ actor, other, what, more }) =>
    actor.try('POST', '/channels/create', {
      name: CHANNELS[what % CHANNELS.length],
      subscribers: more % 2 === 0 ? [other.id] : [actor.id, other.id],
      invite_only: more % 3 === 0,
      is_default_stream: more % 4 === 0,
      ...(more % 5 === 0 ? { can_subscribe_group: { direct_members: [other.id], direct_subgroups: [] } } : {}),
    }),
  'rename channel': async ({ actor, what, more }) =>
    changeChannel(actor, what, { new_name: CHANNELS[more % CHANNELS.length], description: `**${more}**` }),
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
      folder_id: more % 5 === 0 ? await some(actor, 'channel_folders', more) : null,
      topics_policy: more % 7 === 0 ? 'empty_topic_only' : 'inherit',
    }),
  'archive channel': async ({ actor, what }) => actor.try('DELETE', `/streams/${await someChannel(actor, what)}`),
  'unarchive channel': async ({ actor, what, more }) => {
    const id = await someChannel(actor, what, true)
    return actor.try('PATCH', `/streams/${id}`, {
      is_archived: false,
      ...(more % 3 === 0 ? { is_private: more % 2 === 0 } : {}),
    })
  },
  'make default': async ({ actor, what, more }) =>
    actor.try(more % 2 === 0 ? 'POST' : 'DELETE', '/default_streams', { stream_id: await someChannel(actor, what) }),
  'join and leave': async ({ actor, what, more }) =>
    actor.try('PATCH', '/users/me/subscriptions', {
      add: [{ name: CHANNELS[what % CHANNELS.length], color: '#123456' }],
      delete: [CHANNELS[more % CHANNELS.length]],
    }),
  'begin drafts': async ({ actor, other, what, more }) =>
    actor.try('POST', '/drafts', {
      drafts: [draft(`Draft ${what}`), draft(`Draft ${more}`, other)].slice(0, 1 + (more % 2)),
    }),
  'change draft': async ({ actor, other, what, more }) =>
    actor.try('PATCH', `/drafts/${await some(actor, 'drafts', what)}`, { draft: draft(`Draft ${more}`, other) }),
  'delete draft': async ({ actor, what }) => actor.try('DELETE', `/drafts/${await some(actor, 'drafts', what)}`),
  'add alert words': async ({ actor, what, more }) =>
    actor.try('POST', '/users/me/alert_words', { alert_words: [`word ${what % 6}`, `WORD ${more % 6}`] }),
  'remove alert words': async ({ actor, what, more }) =>
    actor.try('DELETE', '/users/me/alert_words', { alert_words: [`Word ${what % 6}`, `word ${more % 6}`] }),
  'make group': async ({ actor, other, what, more }) =>
    actor.try('POST', '/user_groups/create', {
      name: `Group ${what % 6}`,
      description: '',
      members: [...new Set([other.id, actor.id])].slice(more % 2),
      subgroups: more % 3 === 0 ? [await some(actor, 'realm_user_groups', what)] : [],
      ...(more % 4 === 0 ? { can_manage_group: { direct_members: [other.id, actor.id], direct_subgroups: [] } } : {}),
    }),
  'fill group': async ({ actor, other, what, more }) =>
    actor.try('POST', `/user_groups/${await made(actor, what)}/members`, {
      [more % 3 === 0 ? 'delete' : 'add']: [other.id],
    }),
  'nest group': async ({ actor, what, more }) =>
    actor.try('POST', `/user_groups/${await made(actor, what)}/subgroups`, {
      add: [more % 2 === 0 ? await made(actor, more) : await some(actor, 'realm_user_groups', more)],
    }),
  'unnest group': async ({ actor, what, more }) => {
    const nested = (await groups(actor)).filter((group) => group.direct_subgroup_ids.length > 0)
    const { id, direct_subgroup_ids: subgroups = [] } = nested[what % nested.length] ?? {}
    const gone = subgroups[more % subgroups.length] ?? 999_999
    return actor.try('POST', `/user_groups/${id ?? 999_999}/subgroups`, { delete: [gone] })
  },
  'change group': async ({ actor, other, what, more }) =>
    actor.try('PATCH', `/user_groups/${await made(actor, what)}`, {
      ...(more % 2 === 0 ? { name: `Group ${more % 6}` } : {}),
      ...(more % 3 === 0 ? { deactivated: more % 2 === 0 } : {}),
      can_join_group: { new: { direct_members: [other.id], direct_subgroups: [await made(actor, more)] } },
    }),
  'shelter guests': async ({ actor, more }) => {
    const name = more % 3 === 0 ? 'role:everyone' : 'role:members'
    const { body } = await actor.try('GET', '/user_groups')
    const all = (body['user_groups'] ?? []) as { id: number; name: string }[] // as declared
    const group = all.find((one) => one.name === name)
    return actor.try('PATCH', '/realm', { can_access_all_users_group: { new: group?.id ?? 0 } })
  },
  'show private to group': async ({ actor, what, more }) =>
    actor.try('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: `For group ${more % 3}` }],
      invite_only: more % 2 === 0,
      can_subscribe_group: await made(actor, what),
    }),
  'change setting': async ({ actor, what, more }) =>
    actor.try('PATCH', '/settings', {
      ...(what % 2 === 0
        ? { enable_stream_push_notifications: more % 2 === 0, wildcard_mentions_notify: more % 4 < 2 }
        : {}),
      ...(what % 3 === 0 ? { default_language: ['en', 'de', 'pt-br'][more % 3], color_scheme: 1 + (more % 3) } : {}),
      ...(what % 5 === 0 ? { timezone: ['', 'Europe/Berlin'][more % 2], full_name: `Own name ${more}` } : {}),
    }),
  'hide address': async ({ actor, what }) =>
    actor.try('PATCH', '/settings', { email_address_visibility: 1 + (what % 5) }),
  'change default': async ({ actor, what, more }) =>
    actor.try('PATCH', '/realm/user_settings_defaults', {
      enter_sends: what % 2 === 0,
      email_address_visibility: 1 + (more % 5),
    }),
  'change organization': async ({ actor, what, more }) =>
    actor.try('PATCH', '/realm', {
      ...(what % 2 === 0 ? { name: `Name ${more}`, description: `**${more}**` } : {}),
      ...(what % 3 === 0 ? { message_content_edit_limit_seconds: more % 2 === 0 ? 'unlimited' : more + 1 } : {}),
      ...(what % 5 === 0 ? { topics_policy: more % 2 === 0 ? 'disable_empty_topic' : 'allow_empty_topic' } : {}),
      ...(what % 7 === 0 ? { default_language: more % 2 === 0 ? 'de' : 'en', invite_required: more % 2 === 0 } : {}),
      ...(what % 11 === 0 ? { message_edit_history_visibility_policy: ['all', 'moves', 'none'][more % 3] } : {}),
    }),
  'choose channel': async ({ actor, what, more }) => {
    // Not the one for newcomers: what is written there comes by itself, perhaps between looking and comparing.
    const names = [
      'new_stream_announcements_stream_id',
      'service_update_announcements_stream_id',
      'moderation_request_channel_id',
    ]
    const value = more % 4 === 0 ? -1 : await someChannel(actor, more)
    return actor.try('PATCH', '/realm', { [names[what % names.length] ?? '']: value })
  },
  'change permission': async ({ actor, other, what, more }) => {
    const names = ['can_create_public_channel_group', 'can_mention_many_users_group', 'can_add_subscribers_group']
    const anonymous = { direct_members: [other.id], direct_subgroups: [] }
    const name = names[what % names.length] ?? ''
    const value = more % 3 === 0 ? anonymous : await some(actor, 'realm_user_groups', more)
    return actor.try('PATCH', '/realm', { [name]: { new: value } })
  },
  'make profile field': async ({ actor, what, more }) =>
    actor.try('POST', '/realm/profile_fields', {
      name: `Field ${more % 6}`,
      field_type: [1, 2, 3, 4, 6][what % 5],
      ...(what % 5 === 2 ? { field_data: { a: { text: 'A', order: '1' }, b: { text: 'B', order: '2' } } } : {}),
    }),
  'change profile field': async ({ actor, what, more }) =>
    actor.try('PATCH', `/realm/profile_fields/${await some(actor, 'custom_profile_fields', what)}`, {
      ...(more % 2 === 0 ? { hint: `Hint ${more}` } : { editable_by_user: more % 4 === 1 }),
      ...(more % 5 === 0 ? { field_data: { a: { text: 'A', order: '1' } } } : {}),
    }),
  'order profile fields': async ({ actor }) =>
    actor.try('PATCH', '/realm/profile_fields', { order: (await listed(actor, 'custom_profile_fields')).toReversed() }),
  'delete profile field': async ({ actor, what }) =>
    actor.try('DELETE', `/realm/profile_fields/${await some(actor, 'custom_profile_fields', what)}`),
  'say in profile': async ({ actor, other, what, more }) => {
    const { id, type } = await someField(actor, what)
    const values: Readonly<Record<number, unknown>> = { 3: ['a', 'b'][more % 2], 4: '2026-11-21', 6: [other.id] }
    const data = [{ id, value: more % 5 === 0 ? '' : (values[type] ?? `*text* ${more}`) }]
    return more % 2 === 0
      ? actor.try('PATCH', '/users/me/profile_data', { data })
      : actor.try('PATCH', `/users/${other.id}`, { profile_data: data })
  },
  'say no more': async ({ actor, what }) =>
    actor.try('DELETE', '/users/me/profile_data', { data: [await some(actor, 'custom_profile_fields', what)] }),
  'change address': async ({ actor, other, what, more }) => {
    const to = `moved-${more}-${other.id}@example.com`
    return other.moved(
      to,
      what % 2 === 0
        ? other.try('PATCH', '/settings', { email: to })
        : actor.try('PATCH', `/users/${other.id}`, { new_email: to }),
    )
  },
  'say what about': async ({ actor, other, what, more }) => {
    const status = {
      ...(what % 2 === 0 ? { status_text: more % 3 === 0 ? '' : `Busy ${more}` } : {}),
      ...(what % 3 === 0 ? { emoji_name: ['', 'tada', 'wave'][more % 3] } : {}),
      ...(what % 4 === 1 ? { away: more % 2 === 0 } : {}),
    }
    return actor.try('POST', more % 4 === 0 ? `/users/${other.id}/status` : '/users/me/status', status)
  },
  'mute user': async ({ actor, other }) => actor.try('POST', `/users/me/muted_users/${other.id}`),
  upload: async ({ actor, other, what, more }) => {
    const { body } = await sendFiles(actor, '/user_uploads', [{ name: `${more}.txt`, content: 'x'.repeat(what + 1) }])
    const link = `[file](${String(body['url'])})`
    if (what % 2 === 0) await actor.try('POST', '/messages', { type: 'direct', to: [other.id], content: link })
  },
  'delete upload': async ({ actor, what }) => {
    const { body } = await actor.try('GET', '/attachments')
    const ids = ((body['attachments'] ?? []) as { id: number }[]).map(({ id }) => id)
    await actor.try('DELETE', `/attachments/${ids[what % ids.length] ?? 999_999}`)
  },
  'set avatar': async ({ actor }) => sendFiles(actor, '/users/me/avatar', [{ name: 'me.png', content: PICTURE }]),
  'remove avatar': async ({ actor }) => actor.try('DELETE', '/users/me/avatar'),
  'add emoji': async ({ actor, what }) =>
    sendFiles(actor, `/realm/emoji/own_${what % 4}`, [{ name: 'own.png', content: PICTURE }]),
  'deactivate emoji': async ({ actor, what }) => actor.try('DELETE', `/realm/emoji/own_${what % 4}`),
  'react with own emoji': async ({ actor, other, what }) => {
    const { body } = await actor.try('POST', '/messages', {
      type: 'direct',
      to: [other.id],
      content: `:own_${what % 4}:`,
    })
    await actor.try('POST', `/messages/${Number(body['id'])}/reactions`, { emoji_name: `own_${what % 4}` })
  },
  'mark all read': async ({ actor }) => actor.try('POST', '/mark_all_as_read'),
  'mark channel read': async ({ actor, what }) =>
    actor.try('POST', '/mark_stream_as_read', { stream_id: await someChannel(actor, what) }),
  'mark topic read': async ({ scene, actor, what }) => {
    const { body } = await actor.try('GET', `/messages/${sentIn(scene, what)}`, { allow_empty_topic_name: true })
    const { stream_id, subject } = (body['message'] ?? {}) as { stream_id?: number; subject?: string } // as declared
    return actor.try('POST', '/mark_topic_as_read', { stream_id: stream_id ?? 999_999, topic_name: subject ?? '' })
  },
  'flag narrow': async ({ actor, what, more }) =>
    actor.try('POST', '/messages/flags/narrow', {
      anchor: ['oldest', 'newest', 'first_unread'][what % 3],
      num_before: more % 4,
      num_after: more % 3,
      narrow: more % 2 === 0 ? [] : [['is', 'dm']],
      op: what % 2 === 0 ? 'add' : 'remove',
      flag: more % 5 === 0 ? 'starred' : 'read',
    }),
  'unmute user': async ({ actor, what }) =>
    actor.try('DELETE', `/users/me/muted_users/${await some(actor, 'muted_users', what)}`),
  'schedule to channel': async ({ actor, what, more }) => {
    const [channelId] = await listed(actor, 'streams', 'stream_id', 'stream')
    const at = { topic: `Topic ${what % 3}`, scheduled_delivery_timestamp: 4_000_000_000 + (more % 5) }
    return actor.try('POST', '/scheduled_messages', {
      type: 'channel',
      to: channelId ?? 1,
      content: `_${more}_`,
      ...at,
    })
  },
  'schedule directly': async ({ actor, other, what, more }) =>
    actor.try('POST', '/scheduled_messages', {
      type: 'direct',
      to: [other.id],
      content: `Later ${what}`,
      scheduled_delivery_timestamp: 4_000_000_000 + (more % 5),
    }),
  remind: async ({ actor, what, more }) => {
    const { body } = await actor.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    // The answer was checked against its declaration.
    const [message] = (body['messages'] ?? []) as { id: number }[]
    return actor.try('POST', '/reminders', {
      message_id: message?.id ?? 1,
      scheduled_delivery_timestamp: 4_000_000_000 + (more % 5),
      note: `Note ${what}`,
    })
  },
  'delete reminder': async ({ actor, what }) =>
    actor.try('DELETE', `/reminders/${await some(actor, 'reminders', what, 'scheduled_message_id')}`),
  'change scheduled': async ({ actor, what, more }) =>
    actor.try(
      'PATCH',
      `/scheduled_messages/${await some(actor, 'scheduled_messages', what, 'scheduled_message_id')}`,
      more % 2 === 0
        ? { content: `Changed ${more}`, topic: more % 4 === 0 ? '' : `Topic ${more % 3}` }
        : { scheduled_delivery_timestamp: 4_000_000_000 + (more % 5) },
    ),
  'delete scheduled': async ({ actor, what }) =>
    actor.try('DELETE', `/scheduled_messages/${await some(actor, 'scheduled_messages', what, 'scheduled_message_id')}`),
} satisfies Record<string, (doing: Doing) => Promise<unknown>>

/** One of the profile fields, or none. */
async function someField(actor: TestUser, which: number): Promise<{ id: number; type: number }> {
  const { body } = await actor.try('GET', '/realm/profile_fields')
  const fields = (body['custom_fields'] ?? []) as { id: number; type: number }[] // as declared
  return fields[which % fields.length] ?? { id: 999_999, type: 1 }
}

async function linkifiers(actor: TestUser): Promise<number[]> {
  const { body } = await actor.try('GET', '/realm/linkifiers')
  return ((body['linkifiers'] ?? []) as { id: number }[]).map(({ id }) => id)
}

async function someLinkifier(actor: TestUser, which: number): Promise<number> {
  const ids = await linkifiers(actor)
  return ids[which % ids.length] ?? 999_999
}

async function changeChannel(actor: TestUser, which: number, changes: Readonly<Record<string, unknown>>) {
  return actor.try('PATCH', `/streams/${await someChannel(actor, which)}`, changes)
}

/** The path of one of the actor's views, or of none. */
async function someView(actor: TestUser, which: number): Promise<string> {
  const { body } = await actor.try('GET', '/navigation_views')
  const views = (body['navigation_views'] ?? []) as { fragment: string }[] // as declared
  return encodeURIComponent(views[which % views.length]?.fragment ?? 'nothing')
}

function fragment(what: number): string {
  return FRAGMENTS[what % FRAGMENTS.length] ?? ''
}

function draft(content: string, reader?: TestUser): Record<string, unknown> {
  return {
    type: reader === undefined ? '' : 'private',
    to: reader === undefined ? [] : [reader.id],
    topic: '',
    content,
  }
}
