import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { NAVIGATION_VIEW_LIMIT } from './contract.ts'

const server = useTestServer()

const ALERTS_FRAGMENT = 'narrow/is/alerted?all=1#x'

function viewPath(fragment: string): string {
  return `/navigation_views/${encodeURIComponent(fragment)}`
}

it('stores navigation views and sends changes only to their owner', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [own, others] = [await ann.register(), await owner.register()]
  expect(own.state['navigation_views']).toEqual([])
  await ann.call('POST', '/navigation_views', { fragment: ALERTS_FRAGMENT, is_pinned: true, name: ' Alert words ' })
  await ann.call('POST', '/navigation_views', { fragment: 'inbox', is_pinned: false })
  await ann.call('POST', '/navigation_views', { fragment: 'recent', is_pinned: false, name: null })
  await ann.call('PATCH', viewPath(ALERTS_FRAGMENT), { name: 'Alerts' })
  await ann.call('PATCH', viewPath('inbox'), { is_pinned: true })
  // Unchanged values send no events.
  await ann.call('PATCH', viewPath(ALERTS_FRAGMENT), { name: 'Alerts', is_pinned: true })
  await ann.call('PATCH', viewPath(ALERTS_FRAGMENT))
  const { navigation_views } = await ann.call('GET', '/navigation_views')
  expect(navigation_views).toEqual([
    { fragment: ALERTS_FRAGMENT, is_pinned: true, name: 'Alerts' },
    { fragment: 'inbox', is_pinned: true },
    { fragment: 'recent', is_pinned: false },
  ])
  expect((await ann.register()).state['navigation_views']).toEqual(navigation_views)
  await ann.call('DELETE', viewPath(ALERTS_FRAGMENT))
  expect(await own.events()).toMatchObject([
    { type: 'navigation_view', op: 'add', navigation_view: { fragment: ALERTS_FRAGMENT, name: 'Alert words' } },
    { type: 'navigation_view', op: 'add', navigation_view: { fragment: 'inbox', is_pinned: false } },
    { type: 'navigation_view', op: 'add', navigation_view: { fragment: 'recent', is_pinned: false } },
    { type: 'navigation_view', op: 'update', fragment: ALERTS_FRAGMENT, data: { name: 'Alerts' } },
    { type: 'navigation_view', op: 'update', fragment: 'inbox', data: { is_pinned: true } },
    { type: 'navigation_view', op: 'remove', fragment: ALERTS_FRAGMENT },
  ])
  expect(await others.events()).toEqual([])
  expect((await owner.call('GET', '/navigation_views'))['navigation_views']).toEqual([])
})

it("treats another person's navigation view as missing", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await ann.call('POST', '/navigation_views', { fragment: 'drafts', is_pinned: true })
  const [own, others] = [await ann.register(), await owner.register()]
  for (const [method, status, code] of [
    ['PATCH', 404, 'NOT_FOUND'],
    ['DELETE', 400, 'BAD_REQUEST'],
  ] as const) {
    const hidden = await owner.try(method, viewPath('drafts'), { is_pinned: false })
    const absent = await owner.try(method, viewPath('nowhere'), { is_pinned: false })
    expect([hidden.status, hidden.body]).toEqual([status, absent.body])
    expect(hidden.body['code']).toBe(code)
  }
  expect((await ann.call('GET', '/navigation_views'))['navigation_views']).toHaveLength(1)
  expect([await own.events(), await others.events()]).toEqual([[], []])
})

it("rejects a person's second navigation view of the same page", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const view = { fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct' }
  await owner.call('POST', '/navigation_views', view)
  await ann.call('POST', '/navigation_views', view)
  const queue = await owner.register()
  const { status, body } = await owner.try('POST', '/navigation_views', { ...view, name: 'Again', is_pinned: false })
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect(await queue.events()).toEqual([])
  expect((await owner.call('GET', '/navigation_views'))['navigation_views']).toEqual([view])
})

it('rejects custom names for built-in navigation views', async () => {
  const { owner } = await server().organization()
  const named = await owner.try('POST', '/navigation_views', { fragment: 'inbox', is_pinned: true, name: 'Mine' })
  expect([named.status, named.body['code']]).toEqual([400, 'BAD_REQUEST'])
  await owner.call('POST', '/navigation_views', { fragment: 'inbox', is_pinned: true })
  expect((await owner.try('PATCH', viewPath('inbox'), { name: 'Mine' })).status).toBe(400)
  expect((await owner.call('GET', '/navigation_views'))['navigation_views']).toEqual([
    { fragment: 'inbox', is_pinned: true },
  ])
})

it('stores any navigation view name as text, and null as no name', async () => {
  const { owner } = await server().organization()
  for (const [fragment, name] of [
    ['a', '123'],
    ['b', 'true'],
    ['c', '"'],
    ['d', null],
  ]) {
    await owner.call('POST', '/navigation_views', { fragment, is_pinned: true, name })
  }
  expect((await owner.call('GET', '/navigation_views'))['navigation_views']).toEqual([
    { fragment: 'a', is_pinned: true, name: '123' },
    { fragment: 'b', is_pinned: true, name: 'true' },
    { fragment: 'c', is_pinned: true, name: '"' },
    { fragment: 'd', is_pinned: true },
  ])
})

it('rejects navigation views with blank, overlong, or missing values', async () => {
  const { owner } = await server().organization()
  const attempt = async (fragment: string, name: string): Promise<number> =>
    (await owner.try('POST', '/navigation_views', { fragment, is_pinned: true, name })).status
  expect(await attempt('😀'.repeat(500), '😀'.repeat(100))).toBe(200)
  expect(await attempt('😀'.repeat(501), 'x')).toBe(400)
  expect(await attempt('x', '😀'.repeat(101))).toBe(400)
  expect(await attempt('', 'x')).toBe(400)
  expect(await attempt(' ', 'x')).toBe(400)
  expect(await attempt('x', ' ')).toBe(400)
  const blank = await owner.try('POST', '/navigation_views', { fragment: ' ', is_pinned: true })
  expect(blank.body['code']).toBe('BAD_REQUEST')
  const missing = await owner.try('POST', '/navigation_views', { fragment: 'x' })
  expect(missing.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'is_pinned' })
  expect((await owner.call('GET', '/navigation_views'))['navigation_views']).toHaveLength(1)
  expect((await owner.try('PATCH', viewPath('😀'.repeat(500)), { name: '' })).status).toBe(400)
  await owner.call('DELETE', viewPath('😀'.repeat(500)))
})

it('limits how many navigation views a person can have', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const ann = await user('Ann')
  const log = await server().parley.logs.of(organizationId)
  await log.write(async (tx) => {
    const own = { organization_id: organizationId, user_id: ann.id, is_pinned: true }
    const rows = Array.from({ length: NAVIGATION_VIEW_LIMIT.most - 1 }, (_, index) => ({
      ...own,
      id: tx.nextId(),
      fragment: `view ${index}`,
      name: `View ${index}`,
    }))
    await tx.db.insertInto('navigation_views').values(rows).execute()
  })
  await ann.call('POST', '/navigation_views', { fragment: 'the last', is_pinned: true, name: 'Last' })
  const { status, body } = await ann.try('POST', '/navigation_views', { fragment: 'more', is_pinned: true, name: 'x' })
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  await owner.call('POST', '/navigation_views', { fragment: 'more', is_pinned: true, name: 'x' })
  await ann.call('DELETE', viewPath('the last'))
  await ann.call('POST', '/navigation_views', { fragment: 'more', is_pinned: true, name: 'x' })
})
