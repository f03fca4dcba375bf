import { describe, expect, it } from 'vitest'
import { startTestServer, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, type Answer, type Parameters } from '../../testing/user.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

async function spectatorFields({ owner }: TestOrganization, parameters: Parameters = {}): Promise<Answer> {
  return callApi(owner.url, owner.host, 'POST', '/register', parameters)
}

async function isPubliclyAccessible({ owner }: TestOrganization): Promise<unknown> {
  const { body } = await callApi(owner.url, owner.host, 'GET', '/server_settings', {})
  return body['realm_web_public_access_enabled']
}

async function enableSpectators({ owner }: TestOrganization, name: string): Promise<number> {
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const { id } = await owner.call('POST', '/channels/create', { name, subscribers: [owner.id], is_web_public: true })
  return id
}

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

const ACCESS_REFUSED = [401, 'UNAUTHENTICATED_USER']

describe('public access', () => {
  it('allows public access only while web-public channels are enabled and exist', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const expectOpen = async (expected: boolean): Promise<void> => {
      expect(await isPubliclyAccessible(organization)).toBe(expected)
      const answer = await spectatorFields(organization, { event_types: [] })
      expect(refusal(answer)).toEqual(expected ? [200, undefined] : ACCESS_REFUSED)
    }
    await expectOpen(false)
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    await owner.subscribe(['members only'])
    await expectOpen(false)
    const channelId = await enableSpectators(organization, 'Open')
    await expectOpen(true)
    await owner.call('PATCH', '/realm', { enable_spectator_access: false })
    await expectOpen(false)
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    await expectOpen(true)
    await owner.call('DELETE', `/streams/${channelId}`)
    await expectOpen(false)
    await owner.call('PATCH', `/streams/${channelId}`, { is_archived: false })
    await expectOpen(true)
    await owner.call('PATCH', `/streams/${channelId}`, { is_web_public: false })
    await expectOpen(false)
  })

  it('refuses public access on a server that disables it', async () => {
    const strict = await startTestServer()
    const organization = await strict.organization()
    await organization.owner.call('PATCH', '/realm', { enable_spectator_access: true })
    expect(await isPubliclyAccessible(organization)).toBe(false)
    expect(refusal(await spectatorFields(organization))).toEqual(ACCESS_REFUSED)
    await strict.close()
  })

  it('allows public access only to the organization that enables it', async () => {
    const [one, other] = [await server().organization(), await server().organization()]
    await enableSpectators(one, 'Open')
    expect(refusal(await spectatorFields(other))).toEqual(ACCESS_REFUSED)
  })

  it('refuses public access to requests with wrong credentials', async () => {
    const organization = await server().organization()
    await enableSpectators(organization, 'Open')
    const { owner } = organization
    const attempt = async (authorization: string): Promise<unknown[]> =>
      refusal(await callApi(owner.url, owner.host, 'POST', '/register', {}, { headers: { authorization } }))
    expect(await attempt(basic(owner.email, 'wrong'))).toEqual([401, 'INVALID_API_KEY'])
    expect(await attempt('Bearer x')).toEqual(ACCESS_REFUSED)
  })
})

describe('spectators', () => {
  it('shows spectators only web-public channels', async () => {
    const organization = await server().organization('Oak Street')
    const { owner, user } = organization
    const ann = await user('Ann Nobody')
    await owner.call('PATCH', '/realm', { welcome_message_custom_text: 'whispered' })
    await owner.call('PATCH', '/realm', {
      can_create_bots_group: { new: { direct_members: [ann.id], direct_subgroups: [] } },
    })
    const group = { name: 'whispering', description: 'whispered', members: [ann.id] }
    const { group_id } = await owner.call('POST', '/user_groups/create', group)
    await owner.call('POST', '/channel_folders/create', { name: 'whispered', description: 'whispered' })
    const { state } = await owner.register()
    const [folder] = state.channel_folders
    await owner.subscribe(['whispered'])
    await owner.subscribe(['whispered private'], { invite_only: true })
    await owner.call('POST', '/realm/filters', { pattern: 'whispered', url_template: 'https://whispered.example' })
    await owner.call('POST', '/realm/playgrounds', {
      name: 'whispered',
      highlighter_language: 'x',
      url_template: 'https://whispered.example/{code}',
    })
    const id = await enableSpectators(organization, 'Open')
    await owner.call('PATCH', `/streams/${id}`, {
      description: 'For **all**',
      folder_id: folder?.id,
      can_add_subscribers_group: { new: group_id },
      can_administer_channel_group: { new: { direct_members: [ann.id], direct_subgroups: [] } },
    })
    await ann.send('whispered', 'whispered', 'whispered')
    await owner.send('Open', 'a topic', 'to all')
    const { status, body } = await spectatorFields(organization)
    expect(status).toBe(200)
    const open_ = {
      stream_id: id,
      name: 'Open',
      description: 'For **all**',
      is_web_public: true,
      creator_id: null,
      folder_id: null,
    }
    const nobody = { direct_members: [], direct_subgroups: [] }
    const shown = { ...open_, can_add_subscribers_group: nobody, can_administer_channel_group: nobody }
    expect(body).toMatchObject({
      queue_id: null,
      last_event_id: -1,
      service_feature_level: 420,
      realm_name: 'Oak Street',
      realm_enable_spectator_access: true,
      server_web_public_streams_enabled: true,
      max_topic_length: 60,
      subscriptions: [],
      unsubscribed: [],
      never_subscribed: [shown],
      streams: [shown],
      realm_users: [],
      realm_non_active_users: [],
      cross_realm_bots: [],
    })
    const said = JSON.stringify(body)
    for (const secret of ['hisper', 'Ann Nobody', 'Olivia', 'example.com', 'Notification Bot']) {
      expect(said).not.toContain(secret)
    }
    // Lists every field for members, so that a new field fails this test.
    const isAnybodys = (name: string): boolean =>
      /^(realm|server|max|jitsi|password|service|settings|giphy|upgrade)_/.test(name)
    expect(
      Object.keys(body)
        .filter((name) => !isAnybodys(name))
        .toSorted(),
    ).toEqual([
      'cross_realm_bots',
      'development_environment',
      'event_queue_longpoll_timeout_seconds',
      'last_event_id',
      'msg',
      'never_subscribed',
      'queue_id',
      'result',
      'streams',
      'subscriptions',
      'unsubscribed',
    ])
    const permissions = Object.keys(body).filter((name) => name.startsWith('realm_') && /_group$|_policy$/.test(name))
    expect(permissions).toEqual(['realm_message_edit_history_visibility_policy', 'realm_topics_policy'])
  })

  it('returns only the requested data when a spectator registers', async () => {
    const organization = await server().organization()
    await enableSpectators(organization, 'Open')
    const { body } = await spectatorFields(organization, {
      event_types: ['message', 'realm'],
      fetch_event_types: ['stream'],
    })
    expect(Object.keys(body).toSorted()).toEqual([
      'last_event_id',
      'msg',
      'queue_id',
      'result',
      'service_feature_level',
      'service_merge_base',
      'service_version',
      'streams',
    ])
  })

  it("rejects spectators' requests for subscribers and external avatars", async () => {
    const organization = await server().organization()
    await enableSpectators(organization, 'Open')
    for (const parameters of [
      { client_external_avatar: true },
      { include_subscribers: true },
      { include_subscribers: 'partial' },
    ]) {
      expect(refusal(await spectatorFields(organization, parameters))).toEqual([400, 'BAD_REQUEST'])
    }
    const allowed = { client_external_avatar: false, include_subscribers: false, event_types: [] }
    expect((await spectatorFields(organization, allowed)).status).toBe(200)
  })

  it('refuses all requests of spectators but those about web-public channels', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const id = await enableSpectators(organization, 'Open')
    await owner.send('Open', 'a topic', 'to all')
    const newest = { anchor: 'newest', num_before: 1, num_after: 0 }
    for (const [method, path, parameters] of [
      ['GET', '/events', { event_types: ['message'] }],
      ['GET', '/messages', newest],
      ['GET', '/messages', { ...newest, narrow: [['channel', 'Open']] }],
      ['GET', '/messages', { ...newest, narrow: [{ operator: 'channels', operand: 'web-public', negated: true }] }],
      ...['is:starred', `sender:${owner.id}`, `dm:${owner.id}`].map(
        (term) => ['GET', '/messages', { ...newest, narrow: [['channels', 'web-public'], term.split(':')] }] as const,
      ),
      ['POST', '/messages', { type: 'stream', to: 'Open', topic: 'a topic', content: 'by nobody' }],
      ['GET', `/streams/${id}`, {}],
      ['GET', '/streams', {}],
      ['GET', '/users', {}],
    ] as const) {
      expect(refusal(await callApi(owner.url, owner.host, method, path, parameters))).toEqual(ACCESS_REFUSED)
    }
  })

  it("limits spectators' requests per IP address", async () => {
    const limited = await startTestServer({
      PARLEY_WEB_PUBLIC_CHANNELS: '1',
      PARLEY_RATE_LIMITS: 'on',
      PARLEY_RATE_LIMIT_ADDRESS: '3/60',
    })
    const organization = await limited.organization()
    await enableSpectators(organization, 'Open')
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await spectatorFields(organization, { event_types: [] })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    // Limits for signed-in users are per account.
    await organization.owner.call('POST', '/register', { event_types: [] })
    await limited.close()
  })
})
