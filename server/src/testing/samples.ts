import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Endpoint } from '../kernel/endpoint.ts'
import { upload } from './files.ts'
import type { TestOrganization } from './server.ts'

/** What an organization has that requests can name, by the parameter that names it. */
export interface Samples {
  readonly user_id: number
  readonly email: string
  /** Of a bot of the owner. */
  readonly bot_id: number
  readonly stream_id: number
  readonly message_id: number
  readonly queue_id: string
  readonly channel_folder_id: number
  /** Of a group that holds the other user. */
  readonly user_group_id: number
  /** Of a custom profile field. */
  readonly field_id: number
  readonly filter_id: number
  /** Of a navigation view of the owner. */
  readonly fragment: string
  /** Of a file that the owner uploaded. */
  readonly attachment_id: number
  readonly realm_id_str: number
  readonly filename: string
}

const SAMPLE_DOMAIN = 'sample.example'

/**
 * Gives the organization a channel `general`, a topic `hello`, a message, another user and a group of it, a bot, a channel
 * folder, a linkifier, a domain, a custom profile field, and a queue, a navigation view and a stored value of the owner.
 */
export async function samplesFor({ owner, user }: TestOrganization): Promise<Samples> {
  const other = await user('Sam Sample')
  await owner.subscribe(['general'], { principals: [owner.id, other.id] })
  const message_id = await owner.send('general', 'hello', 'A message')
  const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', { name: 'Any', description: '' })
  const group = { name: 'Samples', description: '', members: [other.id] }
  const { group_id } = await owner.call('POST', '/user_groups/create', group)
  const { user_id: bot_id } = await owner.call('POST', '/bots', { full_name: 'Sample Bot', short_name: 'sample' })
  const { id: field_id } = await owner.call('POST', '/realm/profile_fields', { name: 'Any', field_type: 1 })
  const bugs = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/{id}' }
  const { id: filter_id } = await owner.call('POST', '/realm/filters', bugs)
  await owner.call('POST', '/realm/domains', { domain: SAMPLE_DOMAIN, allow_subdomains: false })
  const fragment = 'narrow/is/dm'
  await owner.call('POST', '/navigation_views', { fragment, is_pinned: true, name: 'Direct' })
  await owner.call('PUT', '/bot_storage', { storage: { sample: 'Kept' } })
  const { streams } = await owner.call('GET', '/streams')
  const [realmId = '', ...rest] = (await upload(owner, 'sample.txt', 'A file')).replace('/user_uploads/', '').split('/')
  const { attachments } = await owner.call('GET', '/attachments')
  const { queue_id } = await owner.call('POST', '/register', { event_types: ['message'] })
  // The answers were checked against their declarations.
  const [{ stream_id }] = streams as [{ stream_id: number }]
  const [{ id: attachment_id }] = attachments as [{ id: number }]
  return {
    user_id: other.id,
    email: other.email,
    bot_id: Number(bot_id),
    stream_id,
    message_id,
    queue_id: String(queue_id),
    channel_folder_id: Number(channel_folder_id),
    user_group_id: Number(group_id),
    field_id: Number(field_id),
    filter_id: Number(filter_id),
    fragment,
    attachment_id,
    realm_id_str: Number(realmId),
    filename: rest.join('/'),
  }
}

/** The first group that every organization has. */
const SYSTEM_GROUP = 1

/** Values that a declaration alone does not tell, by parameter. */
function known(samples: Samples): Readonly<Record<string, unknown>> {
  return {
    ...samples,
    to: 'general',
    topic: 'hello',
    content: 'Hello',
    messages: [samples.message_id],
    message_ids: [samples.message_id],
    msg_ids: [samples.message_id],
    user_ids: [samples.user_id],
    principals: [samples.user_id],
    subscribers: [samples.user_id],
    flag: 'starred',
    anchor: 'newest',
    num_before: 1,
    num_after: 1,
    user_id_or_email: samples.email,
    status: 'active',
    username: samples.email,
    password: 'a long password',
    full_name: 'Sam Sample',
    domain: SAMPLE_DOMAIN,
    folder_id: samples.channel_folder_id,
    muted_user_id: samples.user_id,
    url_template: 'https://play.example.com/{code}',
    filter_id: samples.filter_id,
    pattern: 'code-(?P<code>[0-9]+)',
  }
}

/** The same where endpoints use one word for several things, or need more than what they require. */
function special(endpoint: Endpoint, samples: Samples): Readonly<Record<string, unknown>> {
  switch (endpoint.id) {
    case 'sendMessage':
      return { type: 'stream', topic: 'hello' }
    case 'sendSubmessage':
      return { msg_type: 'widget', content: '{}' }
    case 'updateMessage':
      return { content: 'Changed' }
    case 'subscribe':
      return { subscriptions: [{ name: 'general', description: 'Everything' }] }
    case 'updateSubscriptions':
      return { add: [{ name: 'general', color: '#c2c2c2', description: 'Everything' }], delete: [] }
    case 'unsubscribe':
      return { subscriptions: ['general'] }
    case 'createReminder':
      return { scheduled_delivery_timestamp: 4_000_000_000 }
    case 'createScheduledMessage':
      return { type: 'channel', to: samples.stream_id, topic: 'hello', scheduled_delivery_timestamp: 4_000_000_000 }
    case 'updateScheduledMessage':
      return { content: 'Later' }
    case 'setTypingStatus':
      return { type: 'channel', op: 'start', topic: 'hello', stream_id: samples.stream_id }
    case 'createUser':
      return { email: `${randomUUID()}@example.com` }
    case 'addRealmDomain':
      return { domain: `${randomUUID()}.example` }
    case 'createBot':
      return { full_name: randomUUID(), short_name: randomUUID() }
    case 'updateBot':
      return { default_all_public_streams: true }
    case 'createUserGroup':
      return { name: randomUUID(), members: [samples.user_id], subgroups: [samples.user_group_id] }
    case 'updateUserGroup':
      return { name: 'Sample' }
    case 'updateUserGroupMembers':
      return { delete: [samples.user_id] }
    case 'updateUserGroupSubgroups':
      return { add: [SYSTEM_GROUP] }
    case 'addNavigationView':
      return { fragment: 'narrow/is/unread' }
    case 'updateOwnStatus':
      return { status_text: 'Busy', emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
    case 'updateUserStatus':
      return { status_text: 'Busy', emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
    case 'createCustomProfileField':
      return { field_type: 3, name: 'Another', field_data: { a: { text: 'A', order: '1' } } }
    case 'reorderCustomProfileFields':
      return { order: [samples.field_id] }
    case 'updateOwnProfileData':
      return { data: [{ id: samples.field_id, value: 'Something' }] }
    case 'deleteOwnProfileData':
      return { data: [samples.field_id] }
    case 'reorderLinkifiers':
      return { ordered_linkifier_ids: [samples.filter_id] }
    case 'matchesNarrow':
    case 'updateMessageFlagsForNarrow':
      return { narrow: [{ operator: 'channel', operand: 'general', negated: false }] }
    case 'markTopicAsRead':
      return { topic_name: 'hello' }
    case 'getMessages':
      return {
        anchor: 'newest',
        num_before: 1,
        num_after: 1,
        narrow: [{ operator: 'channel', operand: 'general', negated: false }],
      }
    case 'registerQueue':
      return { narrow: [['channel', 'general']] }
    case 'getEvents':
      return { queue_id: samples.queue_id, last_event_id: -1, dont_block: true, narrow: [['channel', 'general']] }
    default:
      return {}
  }
}

/** A valid value of every parameter. */
export function sampleValues(endpoint: Endpoint, samples: Samples): Record<string, unknown> {
  const candidates = { ...known(samples), ...special(endpoint, samples) }
  return Object.fromEntries(
    Object.entries(endpoint.input.shape).map(([name, shape]) => {
      // A ZodObject's shape holds zod types; the declared type is zod's core interface.
      const schema = shape as z.ZodMiniType
      const value = Object.hasOwn(candidates, name) ? candidates[name] : undefined
      return [name, value !== undefined && schema.safeParse(value).success ? value : sampleOf(schema)]
    }),
  )
}

/** Valid parameters: those that are required, and what makes the request harmless to wait for. */
export function sampleInput(endpoint: Endpoint, samples: Samples): Record<string, unknown> {
  const values = sampleValues(endpoint, samples)
  const wanted = special(endpoint, samples)
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(wanted, name) || isRequired(endpoint, name)),
  )
}

export function isRequired(endpoint: Endpoint, name: string): boolean {
  // As above.
  return !(endpoint.input.shape[name] as z.ZodMiniType).safeParse(undefined).success
}

/** Parameters as text, as they are sent. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The path with its parameters and a query with the others. */
export function samplePath(endpoint: Endpoint, samples: Samples): { path: string; query: URLSearchParams } {
  return pathOf(endpoint, sampleInput(endpoint, samples))
}

/** Puts the parameters that belong there into the path and the others into a query. */
export function pathOf(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): { path: string; query: URLSearchParams } {
  const rest = new Map(Object.entries(input).map(([name, value]) => [name, asText(value)]))
  const path = endpoint.path.replace(/:(\w+)(\*?)/g, (_, name: string, takesRest: string) => {
    const value = rest.get(name) ?? ''
    rest.delete(name)
    return takesRest === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/')
  })
  return { path, query: new URLSearchParams([...rest]) }
}

/** The parts of a zod definition that say what a value looks like. */
interface Definition {
  type: string
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  element?: z.ZodMiniType
  items?: readonly z.ZodMiniType[]
  shape?: Readonly<Record<string, z.ZodMiniType>>
  options?: readonly z.ZodMiniType[]
  values?: readonly unknown[]
  entries?: Readonly<Record<string, unknown>>
}

/** A simple value that a schema takes. */
export function sampleOf(schema: z.ZodMiniType): unknown {
  // zod's definitions are a union over all its classes; only these fields are read.
  const definition = schema.def as unknown as Definition
  const { innerType, in: input, element, options } = definition
  const inner = innerType ?? input ?? options?.[0]
  switch (definition.type) {
    case 'string':
      return 'sample'
    case 'number':
    case 'int':
      return 1
    case 'boolean':
      return false
    case 'literal':
      return definition.values?.[0]
    case 'enum':
      return Object.values(definition.entries ?? {})[0]
    case 'array':
      return element === undefined ? [] : [sampleOf(element)]
    case 'tuple':
      return (definition.items ?? []).map(sampleOf)
    case 'object':
      return Object.fromEntries(Object.entries(definition.shape ?? {}).map(([name, field]) => [name, sampleOf(field)]))
    case 'record':
      return {}
    default:
      return inner === undefined ? null : sampleOf(inner)
  }
}
