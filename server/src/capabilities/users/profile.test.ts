import { describe, expect, it } from 'vitest'
import { textWithout } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { expectFull } from '../../testing/full.ts'
import { PROFILE_FIELD_LIMIT } from './contract/profile.ts'

const server = useTestServer()

const CHOICES = { a: { text: 'Apple', order: '1' }, b: { text: 'Pear', order: '2' } }

async function fieldsSeenBy(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/realm/profile_fields'))['custom_fields']
}

async function createField(owner: TestUser, name: string, field_type: number, more: Body = {}): Promise<number> {
  return (await owner.call('POST', '/realm/profile_fields', { name, field_type, ...more }))['id']
}

async function profileOf(viewer: TestUser, user: TestUser): Promise<Record<string, { readonly value: unknown }>> {
  const { user: shown } = await viewer.call('GET', `/users/${user.id}`, { include_custom_profile_fields: true })
  if (shown.profile_data === undefined) throw new Error('no profile data')
  return shown.profile_data
}

const profileEvent = (user: TestUser, custom_profile_field: Body): Body => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: user.id, custom_profile_field },
})

describe('custom profile fields', () => {
  it('creates, changes, orders, and deletes profile fields, and notifies everyone', async () => {
    const { owner, user } = await server().organization()
    const guest = await user('Gus Guest', { role: 600 })
    const look = await watch({ owner, guest })
    const color = await createField(owner, ' Color ', 1, {
      hint: 'Any',
      required: true,
      display_in_profile_summary: true,
    })
    const fruit = await createField(owner, 'Fruit', 3, { field_data: CHOICES, editable_by_user: false })
    const first = {
      id: color,
      type: 1,
      order: 1,
      name: 'Color',
      hint: 'Any',
      field_data: '',
      display_in_profile_summary: true,
      required: true,
      editable_by_user: true,
    }
    const second = {
      ...first,
      id: fruit,
      type: 3,
      order: 2,
      name: 'Fruit',
      hint: '',
      field_data: JSON.stringify(CHOICES),
      display_in_profile_summary: false,
      required: false,
      editable_by_user: false,
    }
    expect(await fieldsSeenBy(guest)).toEqual([first, second])
    await owner.call('PATCH', `/realm/profile_fields/${color}`, { name: 'Color', required: false })
    await owner.call('PATCH', '/realm/profile_fields', { order: [fruit, color] })
    await owner.call('DELETE', `/realm/profile_fields/${fruit}`)
    const changed = { ...first, name: 'Color', required: false }
    const told = [
      [first],
      [first, second],
      [changed, second],
      [
        { ...second, order: 1 },
        { ...changed, order: 2 },
      ],
      [{ ...changed, order: 2 }],
    ].map((fields) => ({ type: 'custom_profile_fields', fields }))
    expect(await look()).toEqual({ owner: told, guest: told })
    expect(await fieldsSeenBy(guest)).toEqual([{ ...changed, order: 2 }])
    const { state } = await guest.register({ fetch_event_types: ['custom_profile_fields'] })
    expect(state['custom_profile_fields']).toEqual(await fieldsSeenBy(guest))
    expect(Object.keys(state['custom_profile_field_types'])).toHaveLength(8)
  })

  it("lets only administrators change the organization's profile fields", async () => {
    const { owner, user } = await server().organization()
    const moderator = await user('Moe Moderator', { role: 300 })
    const id = await createField(owner, 'Color', 1)
    const look = await watch({ owner })
    for (const [method, path, parameters] of [
      ['POST', '/realm/profile_fields', { name: 'Mine', field_type: 1 }],
      ['PATCH', '/realm/profile_fields', { order: [id] }],
      ['PATCH', `/realm/profile_fields/${id}`, { name: 'Mine' }],
      ['DELETE', `/realm/profile_fields/${id}`, {}],
    ] as const) {
      const { status, body } = await moderator.try(method, path, parameters)
      expect([status, body['msg']]).toEqual([400, 'Must be an organization administrator'])
    }
    expect(await look()).toEqual({ owner: [] })
  })

  it('limits the length of profile field names and rejects duplicates', async () => {
    const { owner } = await server().organization()
    const attempt = async (parameters: Body): Promise<unknown> =>
      (await owner.try('POST', '/realm/profile_fields', { field_type: 1, ...parameters })).status
    expect(await attempt({ name: '😀'.repeat(40), hint: '😀'.repeat(80) })).toBe(200)
    expect(await attempt({ name: '😀'.repeat(41) })).toBe(400)
    expect(await attempt({ name: 'x', hint: 'x'.repeat(81) })).toBe(400)
    expect(await attempt({ name: ' ' })).toBe(400)
    expect(await attempt({})).toBe(400)
    expect(await attempt({ name: 'Color' })).toBe(200)
    expect(await attempt({ name: 'COLOR' })).toBe(400)
    expect(await attempt({ name: 'y', field_type: 9 })).toBe(400)
    expect(await fieldsSeenBy(owner)).toHaveLength(2)
  })

  it('refuses more profile fields than the limit', async () => {
    await expectFull(PROFILE_FIELD_LIMIT, {
      fill: [
        `insert into custom_profile_fields
         select $1, 1000000 + n, 1, n, 'f' || n, '', '', false, false, true from generate_series(1, $3::int) n`,
      ],
      make: async (owner) => owner.try('POST', '/realm/profile_fields', { name: 'One more', field_type: 1 }),
      refusal: 'An organization can have at most 100 custom profile fields.',
    })
  })

  it('allows at most two short fields in the profile summary', async () => {
    const { owner } = await server().organization()
    const summary = { display_in_profile_summary: true }
    await createField(owner, 'One', 1, summary)
    await createField(owner, 'Two', 4, summary)
    const three = await createField(owner, 'Three', 1)
    expect((await owner.try('PATCH', `/realm/profile_fields/${three}`, summary)).body['msg']).toBe(
      'Only 2 custom profile fields can be displayed in the profile summary.',
    )
    const { body } = await owner.try('POST', '/realm/profile_fields', { name: 'Long', field_type: 2, ...summary })
    expect(body['msg']).toBe('Field type not supported for display in profile summary.')
  })

  it.each([
    [3, {}],
    [3, { a: { text: ' ', order: '1' } }],
    [3, { a: { text: 'Same', order: '1' }, b: { text: 'Same', order: '2' } }],
    [3, { a: 'Apple' }],
    [3, { '': { text: 'Apple', order: '1' } }],
    [7, {}],
    [7, { subtype: 'nowhere' }],
    [7, { subtype: 'custom' }],
    [7, { subtype: 'custom', url_pattern: 'https://example.com/' }],
    [7, { subtype: 'custom', url_pattern: 'javascript:%(username)s' }],
    [7, { subtype: 'github', url_pattern: 'https://example.com/%(username)s' }],
    [1, { a: { text: 'Apple', order: '1' } }],
  ])('rejects a profile field of type %i with data %j', async (field_type, field_data) => {
    const { owner } = await server().organization()
    const { status, body } = await owner.try('POST', '/realm/profile_fields', { name: 'Field', field_type, field_data })
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect(await fieldsSeenBy(owner)).toEqual([])
  })

  it('names a field for a known external account after that account type', async () => {
    const { owner } = await server().organization()
    const { id } = await owner.call('POST', '/realm/profile_fields', {
      field_type: 7,
      field_data: { subtype: 'github' },
    })
    await owner.call('PATCH', `/realm/profile_fields/${id}`, { name: 'Mine', required: true })
    expect(await fieldsSeenBy(owner)).toMatchObject([{ name: 'GitHub username', required: true }])
    const { state } = await owner.register({ fetch_event_types: ['realm'] })
    expect(state['realm_default_external_accounts']).toHaveProperty('github')
  })

  it.each([[[]], [[1]], [[1, 1]]])('rejects the incomplete field order %j', async (order) => {
    const { owner } = await server().organization()
    await createField(owner, 'One', 1)
    await createField(owner, 'Two', 1)
    const { body } = await owner.try('PATCH', '/realm/profile_fields', { order })
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Invalid order mapping.' })
  })
})

describe('profiles', () => {
  it("shows a person's profile and its changes to everyone", async () => {
    const { owner, user } = await server().organization()
    const [mia, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    const [text, friends] = [await createField(owner, 'About', 2), await createField(owner, 'Friends', 6)]
    const look = await watch({ mia, guest })
    const data = [
      { id: text, value: ' I like **gulls** ' },
      { id: friends, value: [owner.id, guest.id] },
    ]
    await mia.call('PATCH', '/users/me/profile_data', { data })
    const rendered_value = '<p>I like <strong>gulls</strong></p>'
    const value = `[${owner.id},${guest.id}]`
    const told = [
      profileEvent(mia, { id: text, value: 'I like **gulls**', rendered_value }),
      profileEvent(mia, { id: friends, value }),
    ]
    expect(await look()).toEqual({ mia: told, guest: told })
    const expected = { [text]: { value: 'I like **gulls**', rendered_value }, [friends]: { value } }
    expect(await profileOf(guest, mia)).toEqual(expected)
    expect((await mia.call('GET', '/users/me'))['profile_data']).toEqual(expected)
    const { state } = await guest.register({ fetch_event_types: ['realm_user'] })
    expect(state['realm_users']).toContainEqual(expect.objectContaining({ user_id: mia.id, profile_data: expected }))
    // Repeating a value sends no event.
    await mia.call('PATCH', '/users/me/profile_data', { data })
    expect(await look()).toEqual({ mia: [], guest: [] })
    await mia.call('DELETE', '/users/me/profile_data', { data: [text] })
    await mia.call('PATCH', '/users/me/profile_data', { data: [{ id: friends, value: [] }] })
    const silent = [profileEvent(mia, { id: text, value: null }), profileEvent(mia, { id: friends, value: null })]
    expect(await look()).toEqual({ mia: silent, guest: silent })
    expect(await profileOf(guest, mia)).toEqual({})
  })

  it('renders only text fields of a profile as HTML', async () => {
    const { owner } = await server().organization()
    const storeAndRead = async (type: number, value: string, more: Body = {}): Promise<unknown> => {
      const id = await createField(owner, `Field ${type}`, type, more)
      await owner.call('PATCH', '/users/me/profile_data', { data: [{ id, value }] })
      return (await profileOf(owner, owner))[String(id)]
    }
    const rendered_value = '<p><em>gulls</em></p>'
    for (const type of [1, 2]) expect(await storeAndRead(type, '*gulls*')).toEqual({ value: '*gulls*', rendered_value })
    const account = { subtype: 'custom', url_pattern: 'https://x.example/%(username)s' }
    expect(await storeAndRead(3, 'a', { field_data: CHOICES })).toEqual({ value: 'a' })
    expect(await storeAndRead(4, '2024-02-29')).toEqual({ value: '2024-02-29' })
    expect(await storeAndRead(5, 'https://x.example/*y*')).toEqual({ value: 'https://x.example/*y*' })
    expect(await storeAndRead(7, '*gull*', { field_data: account })).toEqual({ value: '*gull*' })
    expect(await storeAndRead(8, '*she*')).toEqual({ value: '*she*' })
  })

  it.each([
    [1, '😀'.repeat(50), '😀'.repeat(51)],
    [2, '😀'.repeat(500), '😀'.repeat(501)],
    [3, 'a', 'c'],
    [3, 'b', 'constructor'],
    [4, '2024-02-29', '2023-02-29'],
    [4, '1999-12-31', '31.12.1999'],
    [5, 'https://example.com/x', 'javascript:alert(1)'],
    [7, 'gull', 'x'.repeat(51)],
    [8, 'she/her', 'x'.repeat(51)],
    [1, 'text', [1]],
    [6, null, 'text'],
    [6, null, [999_999]],
  ])('validates a field of type %i: accepts %j and rejects %j', async (type, good, bad) => {
    const { owner } = await server().organization()
    const field_data = { 3: CHOICES, 7: { subtype: 'custom', url_pattern: 'https://x.example/%(username)s' } }[type]
    const id = await createField(owner, 'Field', type, field_data === undefined ? {} : { field_data })
    await owner.call('PATCH', '/users/me/profile_data', { data: [{ id, value: good }] })
    const before = await profileOf(owner, owner)
    const look = await watch({ owner })
    const { status, body } = await owner.try('PATCH', '/users/me/profile_data', { data: [{ id, value: bad }] })
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect([await look(), await profileOf(owner, owner)]).toEqual([{ owner: [] }, before])
    const kept = before[String(id)]?.value ?? null
    expect(kept).toBe(good)
  })

  it('changes all given profile fields or none', async () => {
    const { owner } = await server().organization()
    const id = await createField(owner, 'About', 1)
    const data = [
      { id, value: 'x' },
      { id: 999_999, value: 'x' },
    ]
    const { body } = await owner.try('PATCH', '/users/me/profile_data', { data })
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Field id 999999 not found.' })
    expect((await owner.try('DELETE', '/users/me/profile_data', { data: [id, 999_999] })).status).toBe(400)
    expect(await profileOf(owner, owner)).toEqual({})
  })

  it("lets administrators change people's profiles, even fields that people cannot edit", async () => {
    const { owner, user } = await server().organization()
    const [mia, mo] = [await user('Mia Member'), await user('Mo Member')]
    const id = await createField(owner, 'Badge', 1, { editable_by_user: false })
    const data = [{ id, value: '7' }]
    expect((await mia.try('PATCH', '/users/me/profile_data', { data })).body['code']).toBe('BAD_REQUEST')
    expect((await mo.try('PATCH', `/users/${mia.id}`, { profile_data: data })).body['msg']).toBe(
      'Insufficient permission',
    )
    const look = await watch({ mo })
    await owner.call('PATCH', `/users/${mia.id}`, { profile_data: data })
    expect(await look()).toEqual({ mo: [profileEvent(mia, { id, value: '7', rendered_value: '<p>7</p>' })] })
    await owner.call('PATCH', `/users/${mia.id}`, { profile_data: [{ id, value: null }] })
    expect(await profileOf(mo, mia)).toEqual({})
  })

  it('refuses profile data for bots', async () => {
    const { owner, user } = await server().organization()
    const bot = await user('Bert Bot', { bot: {} })
    const id = await createField(owner, 'About', 1)
    const { status } = await bot.try('PATCH', '/users/me/profile_data', { data: [{ id, value: 'x' }] })
    expect(status).toBe(400)
  })

  it('does not link hidden channels in a profile', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['secret'], { invite_only: true })
    const id = await createField(owner, 'About', 1)
    await owner.call('PATCH', '/users/me/profile_data', { data: [{ id, value: '#**secret**' }] })
    expect(await profileOf(owner, owner)).toEqual({
      [id]: { value: '#**secret**', rendered_value: textWithout('href') },
    })
  })

  it('deletes profile values of deleted fields and removed choices', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia Member')
    const [text, fruit] = [
      await createField(owner, 'About', 8),
      await createField(owner, 'Fruit', 3, { field_data: CHOICES }),
    ]
    const data = [
      { id: text, value: 'x' },
      { id: fruit, value: 'b' },
    ]
    for (const one of [mia, owner]) await one.call('PATCH', '/users/me/profile_data', { data })
    await owner.call('PATCH', '/users/me/profile_data', { data: [{ id: fruit, value: 'a' }] })
    await owner.call('DELETE', `/realm/profile_fields/${text}`)
    expect([await profileOf(mia, mia), await profileOf(mia, owner)]).toEqual([
      { [fruit]: { value: 'b' } },
      { [fruit]: { value: 'a' } },
    ])
    const look = await watch({ mia })
    await owner.call('PATCH', `/realm/profile_fields/${fruit}`, { field_data: { a: CHOICES.a } })
    expect((await look()).mia).toEqual([
      expect.objectContaining({ type: 'custom_profile_fields' }),
      profileEvent(mia, { id: fruit, value: null }),
    ])
    expect([await profileOf(mia, mia), await profileOf(mia, owner)]).toEqual([{}, { [fruit]: { value: 'a' } }])
  })
})
