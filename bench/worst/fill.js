/* Fills an organization to its limits through the API, with the longest texts of the most expensive characters. */
import { FUTURE_SECONDS } from './known.js'
import { formRequest, createList, repeatText, uploadRequest } from './requests.js'
import { CONTROL_CHARACTER, controlText, MESSAGE_CHARACTERS, DISSIMILAR_TEXTS } from './texts.js'

/** @import { Known } from './known.js' @import { Request } from './requests.js' */
/** @typedef {Record<string, any>} Answer the endpoint's response, as declared in api.md */
/** @typedef {(request: Request) => Promise<Answer>} Asking sends as an owner of the organization; throws on errors */

/** Limits from the server's contracts. */
const LIMITS = {
  drafts: 1_000,
  snippets: 1_000,
  scheduled: 1_000,
  reminders: 1_000,
  stored: 60,
  submessages: 1_000,
  alertWords: 200,
  mutedUsers: 1_000,
  views: 200,
  linkifiers: 200,
  playgrounds: 200,
  folders: 500,
  profileFields: 100,
  groupsInOneAnother: 100,
  peopleWithProfiles: 20,
}
const CHANNELS_AT_ONCE = 100
const MESSAGES_AT_ONCE = 5_000
const DRAFTS_AT_ONCE = 25
const STORED_CHARACTERS = 250_000
const REQUESTS_AT_ONCE = 8
const LONGEST_CONTENT = controlText(MESSAGE_CHARACTERS)
/** Text whose HTML is five times as long. */
const CONTENT_GROWING_AS_HTML = repeatText('&', MESSAGE_CHARACTERS)

/**
 * @param {Asking} ask @param {{ channel: number, name: string, newest: number }} topic a long topic
 * @param {number} share of the limits, from 0 to 1 @returns {Promise<Known>}
 */
export async function fillOrganizationToLimits(ask, topic, share = 1) {
  const most = scaleLimits(share)
  const call = (/** @type {string} */ address, fields = {}) => ask(formRequest('filling', address, fields))
  const { user_id: me, email } = await call('GET /users/me')
  const { members } = await call('GET /users')
  const users = /** @type {Answer[]} */ (members).filter((one) => one['is_active']).map((one) => Number(one['user_id']))
  const others = users.filter((one) => one !== me)
  const channels = await subscribeAll(call)
  const own = await fillMessages(ask, call, channels, most)
  const kept = await fillOwnAccount(call, { others, own: own.own, channel: channels[0]?.id ?? 0, most })
  const { messages } = await call('GET /messages', { anchor: 'newest', num_before: MESSAGES_AT_ONCE, num_after: 0 })
  const { user_id: bot } = await call('POST /bots', { full_name: 'Worst Bot', short_name: 'worst' })
  const { queue_id: queue } = await call('POST /register', { fetch_event_types: [] })
  return {
    me,
    email,
    users,
    others,
    channels,
    topic,
    messages: messages.map((/** @type {Answer} */ one) => one['id']),
    ...own,
    ...kept,
    ...(await fillGroups(call, users, most)),
    ...(await fillProfiles(call, others, most)),
    ...(await fillOrganization(call, most)),
    bot,
    queue,
  }
}

/** @typedef {typeof LIMITS} Most */

/** @param {number} share @returns {Most} */
function scaleLimits(share) {
  // Safe: the record has the same keys as `LIMITS`.
  return /** @type {Most} */ (
    Object.fromEntries(Object.entries(LIMITS).map(([name, count]) => [name, Math.ceil(count * share)]))
  )
}

/** @typedef {(address: string, fields?: import('./requests.js').Fields) => Promise<Answer>} Calling */

/** @param {Calling} call */
async function subscribeAll(call) {
  const { streams } = await call('GET /streams', { include_all: true })
  const names = /** @type {Answer[]} */ (streams).map((one) => ({ name: one['name'] }))
  for (let from = 0; from < names.length; from += CHANNELS_AT_ONCE) {
    const subscriptions = names.slice(from, from + CHANNELS_AT_ONCE)
    await call('POST /users/me/subscriptions', { subscriptions, authorization_errors_fatal: false })
  }
  const { subscriptions } = await call('GET /users/me/subscriptions')
  return /** @type {Answer[]} */ (subscriptions).map((one) => ({
    id: Number(one['stream_id']),
    name: String(one['name']),
  }))
}

/** @param {Asking} ask @param {Calling} call @param {Known['channels']} channels @param {Most} most */
async function fillMessages(ask, call, channels, most) {
  const address = { type: 'stream', to: channels[0]?.id, topic: 'worst' }
  const send = async (/** @type {string} */ content) =>
    Number((await call('POST /messages', { ...address, content }))['id'])
  const voted = await send('Vote')
  await createUntilRefused(most.submessages, () =>
    call('POST /submessage', {
      message_id: voted,
      msg_type: 'worst',
      content: JSON.stringify(CONTROL_CHARACTER.repeat(1_600)),
    }),
  )
  const own = await send(DISSIMILAR_TEXTS[0] ?? '')
  await call(`PATCH /messages/${own}`, { content: DISSIMILAR_TEXTS[1] })
  const { url } = await ask(uploadRequest('filling', 'POST /user_uploads', { name: 'worst.txt', content: 'A file' }))
  await send(`[file](${url})`)
  const { attachments } = await call('GET /attachments')
  return { own, voted, file: String(url).replace('/user_uploads/', ''), attachment: attachments[0].id }
}

/** @param {Calling} call @param {{ others: readonly number[], own: number, channel: number, most: Most }} of */
async function fillOwnAccount(call, { others, own, channel, most }) {
  const later = { scheduled_delivery_timestamp: FUTURE_SECONDS }
  const one = { type: 'stream', to: [channel], topic: 'worst', content: LONGEST_CONTENT }
  const drafts = await createUntilRefused(Math.ceil(most.drafts / DRAFTS_AT_ONCE), (index) =>
    call('POST /drafts', {
      drafts: createList(Math.min(DRAFTS_AT_ONCE, most.drafts - index * DRAFTS_AT_ONCE), () => one),
    }),
  )
  const snippets = await createUntilRefused(most.snippets, (index) =>
    call('POST /saved_snippets', { title: `Snippet ${index}`, content: LONGEST_CONTENT }),
  )
  const texts = [LONGEST_CONTENT, CONTENT_GROWING_AS_HTML]
  const scheduled = await createUntilRefused(most.scheduled, (index) =>
    call('POST /scheduled_messages', {
      type: 'channel',
      to: channel,
      topic: 'worst',
      content: texts[index % 2],
      ...later,
    }),
  )
  const reminders = await createUntilRefused(most.reminders, () =>
    call('POST /reminders', { message_id: own, note: CONTENT_GROWING_AS_HTML.slice(0, 500), ...later }),
  )
  await createUntilRefused(most.stored, (index) =>
    call('PUT /bot_storage', { storage: { [`key ${index}`]: CONTROL_CHARACTER.repeat(STORED_CHARACTERS) } }),
  )
  const view = `narrow/${'x'.repeat(400)}`
  await createConcurrently(most.views, (index) =>
    call('POST /navigation_views', {
      fragment: index === 0 ? view : `${view}${index}`,
      is_pinned: true,
      name: `View ${index}`,
    }),
  )
  await call('POST /users/me/alert_words', {
    alert_words: createList(most.alertWords, (index) => `${index}`.padEnd(100, 'é')),
  })
  await createConcurrently(Math.min(most.mutedUsers, others.length - 1), (index) =>
    call(`POST /users/me/muted_users/${others[index + 1]}`),
  )
  return {
    draft: Number(drafts[0]?.['ids'][0]),
    snippet: Number(snippets[0]?.['saved_snippet_id']),
    scheduled: Number(scheduled[0]?.['scheduled_message_id']),
    reminder: Number(reminders[0]?.['reminder_id']),
    view,
  }
}

/** Creates groups, some nested in a chain. @param {Calling} call @param {readonly number[]} users @param {Most} most */
async function fillGroups(call, users, most) {
  const members = users.slice(0, 10_000)
  const { group_id: group } = await call('POST /user_groups/create', { name: 'Worst', description: '', members })
  const groups = []
  for (let index = 0; index < most.groupsInOneAnother; index += 1) {
    const inside = { members: index === 0 ? members : [], subgroups: groups.slice(-1) }
    const made = await call('POST /user_groups/create', { name: `Worst ${index}`, description: '', ...inside })
    groups.push(Number(made['group_id']))
  }
  return { group: Number(group), groups }
}

/** @param {Calling} call @param {readonly number[]} others @param {Most} most */
async function fillProfiles(call, others, most) {
  const { custom_fields: known } = await call('GET /realm/profile_fields')
  const made = await createConcurrently(Math.max(1, most.profileFields - known.length), (index) =>
    call('POST /realm/profile_fields', { name: `Field ${index}`, field_type: 2, hint: 'x'.repeat(80) }),
  )
  const fields = made.map(({ id }) => Number(id))
  const data = fields.map((id) => ({ id, value: CONTENT_GROWING_AS_HTML.slice(0, 500) }))
  await call('PATCH /users/me/profile_data', { data })
  await createConcurrently(Math.min(most.peopleWithProfiles, others.length), (index) =>
    call(`PATCH /users/${others[index]}`, { profile_data: data }),
  )
  return { field: fields[0] ?? 0, fields: [...known.map((/** @type {Answer} */ one) => Number(one['id'])), ...fields] }
}

/** @param {Calling} call @param {Most} most */
async function fillOrganization(call, most) {
  const { channel_folders: known } = await call('GET /channel_folders', { include_archived: true })
  const folders = await createConcurrently(most.folders - known.length, (index) =>
    call('POST /channel_folders/create', {
      name: `Folder ${index}`,
      description: CONTENT_GROWING_AS_HTML.slice(0, 1_000),
    }),
  )
  const linkifiers = await createConcurrently(most.linkifiers, (index) =>
    call('POST /realm/filters', {
      pattern: `(?:a|b|c){0,20}#${index % 10}(?P<id>[0-9]{1,20})`.padEnd(200 + index, 'x?'),
      url_template: `https://a.b/{id}/${'x'.repeat(900)}`,
    }),
  )
  const playgrounds = await createConcurrently(most.playgrounds, (index) =>
    call('POST /realm/playgrounds', {
      name: `Playground ${index}`,
      highlighter_language: 'Any',
      url_template: `https://a.b/{code}/${'x'.repeat(900)}`,
    }),
  )
  const ids = (/** @type {readonly Answer[]} */ made, /** @type {string} */ name) =>
    made.map((one) => Number(one[name]))
  return {
    folder: ids(folders, 'channel_folder_id')[0] ?? 0,
    folders: [...ids(known, 'id'), ...ids(folders, 'channel_folder_id')],
    linkifier: ids(linkifiers, 'id')[0] ?? 0,
    linkifiers: ids(linkifiers, 'id'),
    playground: ids(playgrounds, 'id')[0] ?? 0,
  }
}

/** @param {number} count @param {(index: number) => Promise<Answer>} make @returns {Promise<Answer[]>} */
async function createConcurrently(count, make) {
  /** @type {Answer[]} */
  const made = []
  let next = 0
  const some = async () => {
    for (let index = next++; index < count; index = next++) made[index] = await make(index)
  }
  await Promise.all(createList(REQUESTS_AT_ONCE, some))
  return made
}

/** Creates objects until the server refuses. @param {number} count @param {(index: number) => Promise<Answer>} make */
async function createUntilRefused(count, make) {
  /** @type {Answer[]} */
  const made = []
  try {
    for (let index = 0; index < count; index += 1) made.push(await make(index))
  } catch (error) {
    if (made.length === 0) throw error
  }
  return made
}
