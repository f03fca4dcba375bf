import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { anyText, textWith } from '../../testing/expected.ts'
import { objectsIn, parseObject } from '../../testing/json.ts'
import { asText } from '../../testing/samples.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, type Body } from '../../testing/user.ts'
import { CachedFields } from '../answers/composed.ts'
import { neutralName, neutralValue, renameForApi, type ApiNames } from './names.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const KEYS: Readonly<Record<string, string>> = {
  client_external_avatar: 'client_gravatar',
  highlighter_language: 'pygments_language',
  realm_service_update_announcements_stream_id: 'realm_zulip_update_announcements_stream_id',
  service_extra_emoji: 'zulip_extra_emoji',
  service_feature_level: 'zulip_feature_level',
  service_merge_base: 'zulip_merge_base',
  service_plan_is_not_limited: 'zulip_plan_is_not_limited',
  service_update_announcements_stream_id: 'zulip_update_announcements_stream_id',
  service_version: 'zulip_version',
}
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  notification_sound: { service: 'zulip' },
  reaction_type: { service_extra_emoji: 'zulip_extra_emoji' },
  code: { INVALID_SERVICE_SERVER: 'INVALID_ZULIP_SERVER' },
}

/** Renamed values that the contract implies but does not list. */
const IMPLIED_VALUES: typeof VALUES = {
  property: { service_update_announcements_stream_id: 'zulip_update_announcements_stream_id' },
  var_name: KEYS,
}
const RENAMED_VALUES: typeof VALUES = { ...VALUES, ...IMPLIED_VALUES }

function renameValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(renameValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const words = Object.hasOwn(RENAMED_VALUES, name) ? RENAMED_VALUES[name] : undefined
      const isWord = typeof member === 'string' && words !== undefined && Object.hasOwn(words, member)
      return [
        Object.hasOwn(KEYS, name) ? (KEYS[name] ?? name) : name,
        isWord ? (words[member] ?? member) : renameValue(member),
      ]
    }),
  )
}

/** Strings that resemble the renamed words or JSON that contains them, and arbitrary strings. */
const words = [
  ...Object.keys(KEYS),
  ...Object.keys(RENAMED_VALUES),
  ...Object.values(RENAMED_VALUES).flatMap((map) => Object.keys(map)),
]
const text = fc.oneof(
  fc.constantFrom(...words),
  fc
    .tuple(
      fc.constantFrom('', '{', ',', '"', '\\', '{"', '\\"'),
      fc.constantFrom(...words),
      fc.constantFrom('', '":', '"', '\\'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(...words).map((word) => JSON.stringify({ [word]: 'service' })),
  fc.string({ unit: 'grapheme' }),
)
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 5 }),
  ),
}))

describe('compatible API names', () => {
  it("replaces Parley's own API names only in keys and in values of renamed properties", () => {
    fc.assert(
      fc.property(tree, (value) => {
        const wire = renameForApi('zulip', JSON.stringify(value))
        expect(JSON.stringify(JSON.parse(wire))).toBe(JSON.stringify(renameValue(value)))
      }),
      { numRuns: 2_000 },
    )
  })

  it("uses existing clients' names in cached responses that were first sent with Parley's own names", () => {
    const encodeFields = (kept: CachedFields, names: ApiNames): string =>
      Buffer.concat([...kept.bytes(names)]).toString()
    fc.assert(
      fc.property(fc.dictionary(text, tree, { minKeys: 1, maxKeys: 5 }), (fields) => {
        const kept = new CachedFields(fields)
        const [neutral, renamedLater, again] = [
          encodeFields(kept, 'neutral'),
          encodeFields(kept, 'zulip'),
          encodeFields(kept, 'neutral'),
        ]
        expect(renamedLater).toBe(encodeFields(new CachedFields(fields), 'zulip'))
        expect([neutral, again]).toEqual([JSON.stringify(fields).slice(1, -1), neutral])
      }),
    )
  })

  it("leaves responses unchanged if Parley's own API names are configured", () => {
    fc.assert(fc.property(tree, (value) => renameForApi('neutral', JSON.stringify(value)) === JSON.stringify(value)))
  })

  it("translates existing clients' parameter names and values, quoted or bare, to Parley's own", () => {
    expect(neutralName('client_gravatar')).toBe('client_external_avatar')
    expect(neutralName('client_external_avatar')).toBe('client_external_avatar')
    expect(neutralValue('client_external_avatar', 'true')).toBe('true')
    expect(neutralValue('notification_sound', 'zulip')).toBe('service')
    expect(neutralValue('notification_sound', '"zulip"')).toBe('service')
    expect(neutralValue('notification_sound', 'service')).toBe('service')
    expect(neutralValue('reaction_type', 'zulip_extra_emoji')).toBe('service_extra_emoji')
    expect(neutralValue('content', 'zulip')).toBe('zulip')
    expect(neutralValue('content', 'client_gravatar')).toBe('client_gravatar')
    expect(neutralValue('notification_sound', { json: 'zulip' })).toEqual({ json: 'zulip' })
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect([neutralName(name), neutralValue(name, name)]).toEqual([name, name])
    }
  })

  const CONTRACT = new URL('../../../../../shared/contract/aliases.json', import.meta.url)
  it.runIf(existsSync(CONTRACT))('knows exactly the compatible API names that the contract lists', () => {
    const { $values, ...keys } = parseObject(readFileSync(CONTRACT, 'utf8'))
    expect([keys, $values]).toEqual([KEYS, VALUES])
  })
})

describe('server with compatible API names', () => {
  const server = useTestServer({ PARLEY_API_NAMES: 'zulip', PARLEY_ROOT_DOMAIN: '' })
  const CONTENT =
    '{"service_version":1,"reaction_type":"service_extra_emoji"} service_version \\"service_feature_level":'
  let organization: TestOrganization

  beforeAll(async () => {
    organization = await server().organization('Test', { stringId: '' })
  })

  /** Skips the contract check, which knows only neutral names. */
  async function call(
    method: string,
    path: string,
    parameters: Record<string, string>,
    further: Record<string, string> = {},
  ): Promise<Record<string, Json>> {
    const { owner } = organization
    const query = new URLSearchParams(parameters).toString()
    const headers = { ...further, authorization: basic(owner.email, owner.apiKey) }
    const answer = await fetch(`${owner.url}/api/v1${path}?${query}`, { method, headers })
    // Safe: every response of the server is a JSON object.
    return (await answer.json()) as Record<string, Json>
  }

  it('answers with the API names that existing clients expect', async () => {
    const settings = await call('GET', '/server_settings', {})
    expect(settings).toMatchObject({ zulip_feature_level: 420, zulip_version: anyText })
    expect(Object.keys(settings).filter((name) => name.includes('service'))).toEqual([])
    const state = await call('POST', '/register', {
      client_gravatar: 'false',
      client_capabilities: '{"user_settings_object":true}',
    })
    expect(state).toMatchObject({
      result: 'success',
      zulip_feature_level: 420,
      zulip_plan_is_not_limited: true,
      user_settings: { notification_sound: 'zulip' },
    })
    expect(state['ignored_parameters_unsupported']).toBeUndefined()
    expect(JSON.stringify(renameValue(state))).toBe(JSON.stringify(state))
  })

  it('leaves user content unchanged in responses and events', async () => {
    const { owner } = organization
    await call('POST', '/users/me/subscriptions', { subscriptions: '[{"name":"service_version"}]' })
    const { queue_id } = await call('POST', '/register', {})
    const { id } = await call('POST', '/messages', {
      type: 'stream',
      to: 'service_version',
      topic: 'service_version',
      content: CONTENT,
    })
    const { raw_content, message } = await call('GET', `/messages/${asText(id)}`, { apply_markdown: 'false' })
    expect(raw_content).toBe(CONTENT)
    expect(message).toMatchObject({
      content: CONTENT,
      subject: 'service_version',
      display_recipient: 'service_version',
    })
    const { events } = await call('GET', '/events', { queue_id: asText(queue_id), dont_block: 'true' })
    expect(events).toMatchObject([
      { message: { content: CONTENT, subject: 'service_version', sender_id: owner.id } },
      {},
      // A user who starts a topic follows it.
      { type: 'user_topic', topic_name: 'service_version' },
    ])
  })

  it('lists unknown parameters under the names that the client sent', async () => {
    const sent = { zulip_version: '1', service_version: '2', client_gravatar: 'true', zulip: 'x' }
    const { ignored_parameters_unsupported: ignored } = await call('GET', '/server_settings', sent)
    expect(ignored).toEqual(['service_version', 'client_gravatar', 'zulip'])
  })

  it('distinguishes the Unicode emoji named service from the built-in custom emoji', async () => {
    const { owner } = organization
    const { id } = await call('POST', '/messages', { type: 'direct', to: `[${owner.id}]`, content: 'hello' })
    const path = `/messages/${asText(id)}`
    const dog = { emoji_name: 'service', emoji_code: '1f415-200d-1f9ba', reaction_type: 'unicode_emoji' }
    const own = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
    const { queue_id } = await call('POST', '/register', { event_types: '["reaction","user_status"]' })
    await call('POST', `${path}/reactions`, { emoji_name: 'zulip' })
    await call('POST', `${path}/reactions`, { emoji_name: 'service' })
    await call('POST', '/users/me/status', dog)
    await call('POST', '/users/me/status', own)
    const poll = { queue_id: asText(queue_id), dont_block: 'true' }
    const fromBeginning = async (): Promise<Body[]> => {
      const { events } = await call('GET', '/events', { ...poll, last_event_id: '-1' })
      return objectsIn(events)
    }
    const told = await fromBeginning()
    expect(told).toMatchObject([own, dog, dog, own])
    // After an acknowledgment, the server reads these events from the database.
    await call('GET', '/events', { ...poll, last_event_id: String(told.at(-1)?.['id']) })
    expect(await fromBeginning()).toEqual(told)
    expect(await call('GET', `/users/${owner.id}/status`, {})).toMatchObject({ status: own })
    expect(await call('GET', path, {})).toMatchObject({ message: { reactions: [own, dog] } })
    await call('DELETE', `${path}/reactions`, { emoji_name: 'service' })
    expect(await call('GET', path, {})).toMatchObject({ message: { reactions: [own] } })
    await call('DELETE', `${path}/reactions`, { emoji_name: 'zulip' })
    expect(await call('GET', path, {})).toMatchObject({ message: { reactions: [] } })
  })

  it("answers with Parley's own API names on request, regardless of earlier requests", async () => {
    const NEUTRAL = { 'parley-client': '1' }
    const form = { client_capabilities: '{"user_settings_object":true}' }
    const state = async (headers: Record<string, string>): Promise<Record<string, Json>> => {
      const { queue_id: _, server_timestamp: __, ...rest } = await call('POST', '/register', form, headers)
      return rest
    }
    const [before, neutral, after] = [await state({}), await state(NEUTRAL), await state({})]
    expect(neutral).toMatchObject({
      service_feature_level: 420,
      service_plan_is_not_limited: true,
      user_settings: { notification_sound: 'service' },
    })
    expect(JSON.stringify(neutral)).not.toContain('zulip')
    const expected: unknown = JSON.parse(renameForApi('zulip', JSON.stringify(neutral)))
    expect([before, after]).toEqual([expected, expected])
    const refused = await call('POST', '/realm/playgrounds', { name: 'x' }, NEUTRAL)
    expect(refused).toMatchObject({ var_name: 'highlighter_language', msg: "Missing 'highlighter_language' argument" })
  })

  it("sends events with Parley's own API names when a long poll or stream asks for these names", async () => {
    const { owner } = organization
    const { queue_id } = await call('POST', '/register', { event_types: '["realm_user_settings_defaults"]' })
    await call('PATCH', '/realm/user_settings_defaults', { notification_sound: 'ding' })
    await call('PATCH', '/realm/user_settings_defaults', { notification_sound: 'zulip' })
    const poll = { queue_id: asText(queue_id), last_event_id: '-1', dont_block: 'true' }
    const told = [{ value: 'ding' }, { value: 'service' }]
    const NEUTRAL = { 'parley-client': '1' }
    expect(await call('GET', '/events', poll, NEUTRAL)).toMatchObject({ events: told })
    expect(await call('GET', '/events', poll)).toMatchObject({ events: [{ value: 'ding' }, { value: 'zulip' }] })
    const leaving = new AbortController()
    const { body } = await fetch(`${owner.url}/api/v1/events?${new URLSearchParams(poll).toString()}`, {
      headers: { ...NEUTRAL, accept: 'text/event-stream', authorization: basic(owner.email, owner.apiKey) },
      signal: leaving.signal,
    })
    let streamed = ''
    for await (const bytes of body ?? []) {
      streamed += Buffer.from(bytes).toString()
      if (streamed.includes('"value":"service"')) break
    }
    leaving.abort()
    expect(streamed).toContain('"value":"service"')
  })

  it("accepts Parley's own parameter names as well as those of existing clients", async () => {
    const { members } = await call('GET', '/users', { client_external_avatar: 'false' })
    expect(members).toMatchObject([{ avatar_url: anyText }])
  })

  it("uses existing clients' parameter names in error messages", async () => {
    const answer = await call('GET', '/nothing', {})
    expect(answer).toMatchObject({ result: 'error', code: 'NOT_FOUND' })
    expect(await call('POST', '/realm/playgrounds', { name: 'x' })).toEqual({
      result: 'error',
      msg: "Missing 'pygments_language' argument",
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'pygments_language',
    })
    const wrong = await call('GET', '/users', { client_gravatar: 'maybe' })
    expect(wrong['msg']).toBe("Argument 'client_gravatar' has the wrong type")
    const absent = { type: 'stream', to: 'service_version', topic: 'x', content: 'x' }
    expect(await call('POST', '/messages', { ...absent, to: "service_merge_base 'service_version'" })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      msg: textWith("service_merge_base 'service_version'"),
    })
  })

  it("uses existing clients' names for changed settings and available choices", async () => {
    const { stream_id } = await call('GET', '/get_stream_id', { stream: 'service_version' })
    const { queue_id, available_notification_sounds } = await call('POST', '/register', {})
    expect(available_notification_sounds).toEqual(['zulip', 'ding', 'none'])
    await call('PATCH', '/realm', { zulip_update_announcements_stream_id: asText(stream_id) })
    for (const notification_sound of ['ding', 'zulip']) {
      await call('PATCH', '/settings', { notification_sound })
      await call('PATCH', '/realm/user_settings_defaults', { notification_sound })
    }
    await call('PATCH', '/settings', { full_name: 'service' })
    const { events } = await call('GET', '/events', { queue_id: asText(queue_id), dont_block: 'true' })
    const sounds = (value: string): object[] => [
      { type: 'user_settings', property: 'notification_sound', value },
      { type: 'update_global_notifications', notification_name: 'notification_sound', setting: value },
      { type: 'realm_user_settings_defaults', property: 'notification_sound', value },
    ]
    expect(events).toMatchObject([
      { type: 'realm', property: 'zulip_update_announcements_stream_id', value: stream_id },
      ...sounds('ding'),
      ...sounds('zulip'),
      { type: 'realm_user', person: { full_name: 'service' } },
    ])
  })
})
