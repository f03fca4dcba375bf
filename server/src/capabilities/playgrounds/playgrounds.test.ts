import { expect, it } from 'vitest'
import { startTestServerOn, useTestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { PLAYGROUND_LIMIT } from './contract.ts'
import { playgroundsProjection } from './queries.ts'

const server = useTestServer()

const RUST = {
  name: 'Rust playground',
  highlighter_language: 'Rust',
  url_template: 'https://play.example.com/?edition=2021&code={code}',
}

it('adds and removes playgrounds and notifies everyone', async () => {
  const { owner, user } = await server().organization()
  const [admin, guest] = [await user('Ada', { role: 200 }), await user('Gus', { role: 600 })]
  const [own, others] = [await admin.register(), await guest.register()]
  expect(own.state['realm_playgrounds']).toEqual([])
  const { id: first } = await admin.call('POST', '/realm/playgrounds', RUST)
  const cpp = { name: 'Run', highlighter_language: 'C++', url_template: 'http://cpp.example.com{?code}' }
  const { id: second } = await owner.call('POST', '/realm/playgrounds', { ...cpp, name: ' Run ' })
  const both = [
    { id: first, ...RUST },
    { id: second, ...cpp },
  ]
  expect((await guest.register()).state['realm_playgrounds']).toEqual(both)
  await owner.call('DELETE', `/realm/playgrounds/${String(first)}`)
  const expected = [
    { type: 'realm_playgrounds', realm_playgrounds: [both[0]] },
    { type: 'realm_playgrounds', realm_playgrounds: both },
    { type: 'realm_playgrounds', realm_playgrounds: [both[1]] },
  ]
  expect(await own.events()).toMatchObject(expected)
  expect(await others.events()).toMatchObject(expected)
  expect((await guest.register()).state['realm_playgrounds']).toEqual([both[1]])
})

it('keeps playgrounds after a restart', async () => {
  const { owner, host } = await server().organization()
  const { id } = await owner.call('POST', '/realm/playgrounds', RUST)
  const other = await startTestServerOn(server().database, {}, { shared: true })
  try {
    const again = new TestUser(other.parley.url, host, owner.email, owner.apiKey, owner.id)
    expect((await again.register()).state['realm_playgrounds']).toEqual([{ id, ...RUST }])
  } finally {
    await other.close()
  }
})

it('lets only administrators change playgrounds', async () => {
  const { owner, user } = await server().organization()
  const { id } = await owner.call('POST', '/realm/playgrounds', RUST)
  const queue = await owner.register()
  for (const role of [300, 400, 600] as const) {
    const somebody = await user(`Role ${role}`, { role })
    await queue.events()
    const added = await somebody.try('POST', '/realm/playgrounds', { ...RUST, name: 'Other' })
    expect([added.status, added.body['code']]).toEqual([400, 'BAD_REQUEST'])
    // The error is the same whether or not the playground exists.
    const removed = await somebody.try('DELETE', `/realm/playgrounds/${String(id)}`)
    const absent = await somebody.try('DELETE', '/realm/playgrounds/999999')
    expect([removed.status, removed.body]).toEqual([400, absent.body])
    expect(await queue.events()).toEqual([])
  }
  expect((await owner.register()).state['realm_playgrounds']).toEqual([{ id, ...RUST }])
})

it('rejects removing a missing playground and adding a duplicate', async () => {
  const { owner } = await server().organization()
  await owner.call('POST', '/realm/playgrounds', RUST)
  const queue = await owner.register()
  expect((await owner.try('DELETE', '/realm/playgrounds/999999')).body['code']).toBe('BAD_REQUEST')
  const twice = { ...RUST, name: 'RUST playground', highlighter_language: 'rust' }
  expect((await owner.try('POST', '/realm/playgrounds', twice)).status).toBe(400)
  expect(await queue.events()).toEqual([])
  const elsewhere = { ...RUST, highlighter_language: 'Zig', url_template: 'https://a.example/{code}{#code}' }
  await owner.call('POST', '/realm/playgrounds', elsewhere)
})

it.each([
  ['no variable', 'https://a.example/'],
  ['another variable', 'https://a.example/{source}'],
  ['two variables', 'https://a.example/{code}/{lang}'],
  ['two variables in one expression', 'https://a.example/{?code,lang}'],
  ['an unclosed brace', 'https://a.example/{code'],
  ['an unknown operator', 'https://a.example/{!code}'],
  ['a script URL', 'javascript:alert({code})'],
  ['no host', 'https:///{code}'],
  ['only whitespace', ' '],
])('rejects a URL template with %s', async (_, url_template) => {
  const { owner } = await server().organization()
  const { status, body } = await owner.try('POST', '/realm/playgrounds', { ...RUST, url_template })
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect((await owner.register()).state['realm_playgrounds']).toEqual([])
})

it('rejects playgrounds with empty or overlong values', async () => {
  const { owner } = await server().organization()
  const attempt = async (more: Partial<typeof RUST>): Promise<number> =>
    (await owner.try('POST', '/realm/playgrounds', { ...RUST, ...more })).status
  const prefix = 'https://a.example/{code}?'
  expect(
    await attempt({
      name: '😀'.repeat(100),
      highlighter_language: 'x'.repeat(40),
      url_template: prefix + '😀'.repeat(1_000 - prefix.length),
    }),
  ).toBe(200)
  expect(await attempt({ name: '😀'.repeat(101) })).toBe(400)
  expect(await attempt({ highlighter_language: 'x'.repeat(41) })).toBe(400)
  expect(await attempt({ url_template: prefix + 'x'.repeat(1_001 - prefix.length) })).toBe(400)
  expect(await attempt({ name: ' ' })).toBe(400)
  expect(await attempt({ highlighter_language: ' ' })).toBe(400)
  expect(await attempt({ highlighter_language: '<b>' })).toBe(400)
  expect((await owner.register()).state['realm_playgrounds']).toHaveLength(1)
})

it('refuses more playgrounds than the limit', async () => {
  const { id: organizationId, owner } = await server().organization()
  const log = await server().parley.logs.of(organizationId)
  await log.write(async (tx) => {
    const offered = Array.from({ length: PLAYGROUND_LIMIT.most - 1 }, (_, index) => ({
      ...RUST,
      id: tx.nextId(),
      name: `Number ${index}`,
    }))
    const rows = offered.map((playground) => ({ organization_id: organizationId, ...playground }))
    await tx.db.insertInto('realm_playgrounds').values(rows).execute()
    for (const added of offered) tx.change(playgroundsProjection, { added })
  })
  const { id } = await owner.call('POST', '/realm/playgrounds', RUST)
  const more = { ...RUST, name: 'More' }
  const { status, body } = await owner.try('POST', '/realm/playgrounds', more)
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  await owner.call('DELETE', `/realm/playgrounds/${String(id)}`)
  await owner.call('POST', '/realm/playgrounds', more)
})
