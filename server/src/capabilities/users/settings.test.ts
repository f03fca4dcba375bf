import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { callApi, type Answer, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const OLDER_CLIENT = { client_capabilities: {} }

const settingEvent = (property: string, value: unknown): Body => ({
  type: 'user_settings',
  op: 'update',
  property,
  value,
})

it("changes personal settings and notifies only their owner's clients", async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  const look = await watch({ mia, owner })
  const answer = await mia.call('PATCH', '/settings', { enter_sends: true, color_scheme: 2, web_home_view: 'inbox' })
  expect(answer).toEqual({ result: 'success', msg: '' })
  expect(await look()).toEqual({ mia: [settingEvent('color_scheme', 2), settingEvent('enter_sends', true)], owner: [] })
  const { state } = await mia.register({ fetch_event_types: ['user_settings'] })
  expect(state['user_settings']).toMatchObject({ enter_sends: true, color_scheme: 2, web_home_view: 'inbox' })
  expect((await owner.register()).state['user_settings']).toMatchObject({ enter_sends: false, color_scheme: 1 })
  await mia.call('PATCH', '/settings', { color_scheme: 1 })
  expect((await look()).mia).toEqual([settingEvent('color_scheme', 1)])
})

it('changes the known settings of a request and reports the unknown settings', async () => {
  const { owner } = await server().organization()
  const answer = await owner.call('PATCH', '/settings', { enter_sends: true, dense_mode: true })
  expect(answer['ignored_parameters_unsupported']).toEqual(['dense_mode'])
  expect((await owner.register()).state['user_settings']).toMatchObject({ enter_sends: true })
})

it('sends older clients changed settings in legacy events', async () => {
  const { owner } = await server().organization()
  await owner.call('PATCH', '/settings', { email_address_visibility: 4 })
  const { email } = await owner.call('GET', '/users/me')
  expect(email).not.toBe(owner.email)
  const look = await watch({ owner }, OLDER_CLIENT)
  await owner.call('PATCH', '/settings', {
    default_language: 'de',
    enable_sounds: false,
    web_font_size_px: 20,
    timezone: 'Europe/Berlin',
  })
  const older = { type: 'update_display_settings', user: email }
  const person = { user_id: owner.id, email, timezone: 'Europe/Berlin' }
  expect((await look()).owner).toEqual([
    settingEvent('web_font_size_px', 20),
    { ...settingEvent('default_language', 'de'), language_name: 'German' },
    { ...older, setting_name: 'default_language', setting: 'de', language_name: 'German' },
    settingEvent('enable_sounds', false),
    { type: 'update_global_notifications', user: email, notification_name: 'enable_sounds', setting: false },
    settingEvent('timezone', 'Europe/Berlin'),
    { ...older, setting_name: 'timezone', setting: 'Europe/Berlin' },
    { type: 'realm_user', op: 'update', person },
  ])
  const { state } = await owner.register(OLDER_CLIENT)
  expect(state).toMatchObject({ default_language: 'de', enable_sounds: false, timezone: 'Europe/Berlin' })
})

it("shows a person's time zone to everyone", async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  await mia.call('PATCH', '/settings', { email_address_visibility: 4 })
  const { email } = await mia.call('GET', '/users/me')
  expect(email).not.toBe(mia.email)
  const look = await watch({ owner }, { event_types: ['realm_user'] })
  await mia.call('PATCH', '/settings', { timezone: 'Asia/Kolkata' })
  const person = { user_id: mia.id, email, timezone: 'Asia/Kolkata' }
  expect((await look()).owner).toEqual([{ type: 'realm_user', op: 'update', person }])
  expect((await owner.call('GET', `/users/${mia.id}`))['user']).toMatchObject({ timezone: 'Asia/Kolkata' })
})

it('sends older clients the settings of channels that inherit a changed notification setting', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general', 'random'])
  const { subscriptions } = await owner.call('GET', '/users/me/subscriptions')
  const [general, random] = subscriptions.map(({ stream_id }) => stream_id)
  await owner.call('PATCH', `/users/me/subscriptions/${random}`, { property: 'push_notifications', value: false })
  const [old, modern] = [await watch({ owner }, OLDER_CLIENT), await watch({ owner })]
  await owner.call('PATCH', '/settings', { enable_stream_push_notifications: true })
  const changed = settingEvent('enable_stream_push_notifications', true)
  expect((await modern()).owner).toEqual([changed])
  expect((await old()).owner).toEqual([
    changed,
    expect.objectContaining({ type: 'update_global_notifications' }),
    { type: 'subscription', op: 'update', stream_id: general, property: 'push_notifications', value: true },
  ])
})

it.each([
  ['color_scheme', 4],
  ['color_scheme', '"dark"'],
  ['enter_sends', 'yes'],
  ['web_home_view', 'elsewhere'],
  ['default_language', 'xx'],
  ['default_language', ''],
  ['timezone', 'Mars/Olympus'],
  ['timezone', '+05:00'],
  ['notification_sound', 'bang'],
  ['email_notifications_batching_period_seconds', -1],
  ['email_notifications_batching_period_seconds', 604_801],
  ['email_address_visibility', 6],
])('rejects %s set to %s without changes', async (name, value) => {
  const { owner } = await server().organization()
  const look = await watch({ owner })
  const { status, body } = await owner.try('PATCH', '/settings', { enter_sends: true, [name]: value })
  expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  expect(await look()).toEqual({ owner: [] })
})

it.each(['/settings/display', '/settings/notifications'])('changes settings at the legacy path %s', async (path) => {
  const { owner } = await server().organization()
  await owner.call('PATCH', path, { enter_sends: true, enable_sounds: false })
  expect((await owner.register()).state['user_settings']).toMatchObject({ enter_sends: true, enable_sounds: false })
})

it('lets people change their own name unless the organization disables name changes', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  const look = await watch({ owner })
  await mia.call('PATCH', '/settings', { full_name: ' Mia M. ' })
  const renamed = { type: 'realm_user', op: 'update', person: { user_id: mia.id, full_name: 'Mia M.' } }
  expect(await look()).toEqual({ owner: [renamed] })
  await owner.call('PATCH', '/realm', { name_changes_disabled: true })
  await look()
  const { body } = await mia.try('PATCH', '/settings', { full_name: 'Mia', enter_sends: true })
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Name changes are disabled in this organization.' })
  // An unchanged value is accepted but sends no events.
  await mia.call('PATCH', '/settings', { full_name: 'Mia M.' })
  expect(await look()).toEqual({ owner: [] })
  await owner.call('PATCH', '/settings', { full_name: 'Olivia' })
  expect((await owner.call('GET', '/users/me'))['full_name']).toBe('Olivia')
})

it('rejects a taken name if names must be unique', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  await owner.call('PATCH', '/realm', { require_unique_names: true })
  const { body } = await mia.try('PATCH', '/settings', { full_name: 'OLIVIA owner' })
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Unique names required in this organization.' })
  await mia.call('PATCH', '/settings', { full_name: 'MIA member' })
})

it("changes a person's own email address, with which the person then signs in", async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  const look = await watch({ owner })
  const before = mia.email
  const to = 'mia.new@example.com'
  expect((await mia.switchEmail(to, mia.try('PATCH', '/settings', { email: to }))).status).toBe(200)
  expect(await look()).toEqual({
    owner: [
      { type: 'realm_user', op: 'update', person: { user_id: mia.id, new_email: to } },
      { type: 'realm_user', op: 'update', person: { user_id: mia.id, delivery_email: to } },
    ],
  })
  expect(await mia.call('GET', '/users/me')).toMatchObject({ email: to, delivery_email: to })
  expect((await owner.try('GET', `/users/${before}`)).body['msg']).toBe('No such user')
})

it.each(['', 'mia', 'mia@', 'user1@o.invalid', `${'x'.repeat(250)}@example.com`])(
  'rejects the invalid address %s',
  async (email) => {
    const { owner } = await server().organization()
    const { status, body } = await owner.try('PATCH', '/settings', { email })
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Enter a valid email address.'])
  },
)

it('rejects taken email addresses, and all email changes by members if the organization disables them', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  expect((await mia.try('PATCH', '/settings', { email: owner.email.toUpperCase() })).body['code']).toBe('BAD_REQUEST')
  await owner.call('PATCH', '/realm', { email_changes_disabled: true })
  const { body } = await mia.try('PATCH', '/settings', { email: 'other@example.com' })
  expect(body['msg']).toBe('Email address changes are disabled in this organization.')
  await owner.switchEmail('own@example.com', owner.try('PATCH', '/settings', { email: 'own@example.com' }))
  expect((await owner.call('GET', '/users/me'))['email']).toBe('own@example.com')
})

it('changes the password if the old password is given', async () => {
  const { owner, host } = await server().organization('Test', { password: 'the old password' })
  const logIn = async (password: string): Promise<Answer> =>
    callApi(owner.url, host, 'POST', '/fetch_api_key', { username: owner.email, password })
  const change = async (old_password: string, new_password: string): Promise<Answer> =>
    owner.try('PATCH', '/settings', { old_password, new_password })
  expect((await change('wrong', 'the new password')).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Wrong password!',
  })
  expect((await owner.try('PATCH', '/settings', { new_password: 'the new password' })).body['msg']).toBe(
    'Wrong password!',
  )
  expect((await change('the old password', '1234567')).body['code']).toBe('BAD_REQUEST')
  expect((await change('the old password', '😀'.repeat(101))).body['code']).toBe('BAD_REQUEST')
  for (const guessable of ['password1', 'Olivia Owner', owner.email]) {
    const { status, body } = await change('the old password', guessable)
    expect([guessable, status, body['msg']]).toEqual([
      guessable,
      400,
      'This password is too easy to guess. Choose a longer one made of several words.',
    ])
  }
  expect((await logIn('the old password')).status).toBe(200)
  expect((await change('the old password', 'the new password')).status).toBe(200)
  expect((await logIn('the old password')).status).toBe(401)
  expect((await logIn('the new password')).status).toBe(200)
})

it('keeps the password if another setting is invalid', async () => {
  const { owner, host } = await server().organization('Test', { password: 'the old password' })
  const passwords = { old_password: 'the old password', new_password: 'the new password' }
  expect((await owner.try('PATCH', '/settings', { ...passwords, full_name: ' ' })).status).toBe(400)
  const login = { username: owner.email, password: 'the old password' }
  expect((await callApi(owner.url, host, 'POST', '/fetch_api_key', login)).status).toBe(200)
})

it('applies changed default settings to new people but not to existing people', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  const look = await watch({ owner, mia })
  await owner.call('PATCH', '/realm/user_settings_defaults', { enter_sends: true, color_scheme: 1 })
  const told = { type: 'realm_user_settings_defaults', op: 'update', property: 'enter_sends', value: true }
  expect(await look()).toEqual({ owner: [told], mia: [told] })
  const { state } = await mia.register()
  expect(state).toMatchObject({
    realm_user_settings_defaults: { enter_sends: true },
    user_settings: { enter_sends: false },
  })
  const nora = await user('Nora Newcomer')
  expect((await nora.register()).state['user_settings']).toMatchObject({ enter_sends: true })
  const { body } = await mia.try('PATCH', '/realm/user_settings_defaults', { enter_sends: false })
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Must be an organization administrator' })
})

it("gives new people the organization's language", async () => {
  const { owner, user } = await server().organization()
  await owner.call('PATCH', '/realm', { default_language: 'de' })
  const nora = await user('Nora Newcomer')
  const { state } = await nora.register()
  expect(state).toMatchObject({
    user_settings: { default_language: 'de' },
    realm_user_settings_defaults: { default_language: 'de' },
    realm_default_language: 'de',
  })
})
