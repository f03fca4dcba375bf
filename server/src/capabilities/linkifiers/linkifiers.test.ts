import { expect, it } from 'vitest'
import { startTestServerOn, useTestServer } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'
import { LINKIFIER_LIMIT } from './contract.ts'
import { linkifiersProjection } from './queries.ts'

const server = useTestServer()

const BUG_LINKIFIER = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/{id}' }
const WIKI_LINKIFIER = {
  pattern: 'wiki:(?P<page>[a-z]+)',
  url_template: 'https://wiki.example.com/100%/{+page}{?page}',
}
const OLD_CLIENT = { client_capabilities: {} }

async function addLinkifier(user: TestUser, linkifier: typeof BUG_LINKIFIER): Promise<number> {
  return (await user.call('POST', '/realm/filters', linkifier))['id']
}

async function listLinkifiers(user: TestUser): Promise<unknown> {
  return (await user.call('GET', '/realm/linkifiers'))['linkifiers']
}

it('keeps linkifiers in order and notifies everyone of changes', async () => {
  const { owner, user } = await server().organization()
  const [admin, guest] = [await user('Ada', { role: 200 }), await user('Gus', { role: 600 })]
  const [own, others] = [await admin.register(), await guest.register()]
  expect(own.state['realm_linkifiers']).toEqual([])
  const bug = { ...BUG_LINKIFIER, id: await addLinkifier(admin, BUG_LINKIFIER) }
  const wiki = { ...WIKI_LINKIFIER, id: await addLinkifier(owner, WIKI_LINKIFIER) }
  expect([await listLinkifiers(guest), (await guest.register()).state['realm_linkifiers']]).toEqual([
    [bug, wiki],
    [bug, wiki],
  ])
  await admin.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [wiki.id, bug.id] })
  const changed = { ...bug, pattern: 'bug (?P<id>[0-9]+)', url_template: 'https://bugs.example.com/?{id}' }
  await admin.call('PATCH', `/realm/filters/${bug.id}`, {
    pattern: changed.pattern,
    url_template: changed.url_template,
  })
  await admin.call('DELETE', `/realm/filters/${wiki.id}`)
  const told = [[bug], [bug, wiki], [wiki, bug], [wiki, changed], [changed]]
  const expected = told.map((realm_linkifiers) => ({ type: 'realm_linkifiers', realm_linkifiers }))
  expect(await own.events()).toMatchObject(expected)
  expect(await others.events()).toMatchObject(expected)
  expect(await listLinkifiers(guest)).toEqual([changed])
})

it('sends older clients the linkifiers they support in the old format', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ ...OLD_CLIENT, event_types: ['realm_linkifiers', 'realm_filters'] })
  expect(queue.state).toMatchObject({ realm_linkifiers: [], realm_filters: [] })
  const percent = { pattern: 'P(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/100%/{id}' }
  const [bug, , other] = [
    await addLinkifier(owner, BUG_LINKIFIER),
    await addLinkifier(owner, WIKI_LINKIFIER),
    await addLinkifier(owner, percent),
  ]
  const understood = [
    [BUG_LINKIFIER.pattern, 'https://bugs.example.com/%(id)s', bug],
    [percent.pattern, 'https://bugs.example.com/100%%/%(id)s', other],
  ]
  expect(await queue.events()).toMatchObject([
    { type: 'realm_filters', realm_filters: understood.slice(0, 1) },
    { type: 'realm_filters', realm_filters: understood.slice(0, 1) },
    { type: 'realm_filters', realm_filters: understood },
  ])
  expect((await owner.register(OLD_CLIENT)).state).toMatchObject({ realm_linkifiers: [], realm_filters: understood })
  expect((await owner.register()).state['realm_filters']).toEqual([])
})

it('turns linkifier matches in messages and topics into links, in linkifier order', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  const before = await owner.send('general', 'About #12', 'See #12')
  const bug = await addLinkifier(owner, BUG_LINKIFIER)
  const queue = await ann.register({ event_types: ['message'] })
  const after = await owner.send('general', 'About #12', 'See #12, wiki:home and https://x.example/#12')
  const link = { text: '#12', url: 'https://bugs.example.com/12' }
  const shown =
    '<p>See <a href="https://bugs.example.com/12">#12</a>, wiki:home and ' +
    '<a href="https://x.example/#12">https://x.example/#12</a></p>'
  expect(await queue.events()).toMatchObject([{ message: { id: after, content: shown, topic_links: [link] } }])
  const read = async (): Promise<Body[]> =>
    (await ann.call('GET', '/messages', { message_ids: [before, after] }))['messages']
  expect(await read()).toMatchObject([
    { content: '<p>See #12</p>', topic_links: [link] },
    { content: shown, topic_links: [link] },
  ])
  await owner.call('DELETE', `/realm/filters/${bug}`)
  // Messages keep their links; topic links are computed on read.
  expect(await read()).toMatchObject([{ topic_links: [] }, { content: shown, topic_links: [] }])
  const direct = await owner.sendTo([ann.id], 'Psst')
  expect(await ann.call('GET', `/messages/${direct}`)).toMatchObject({ message: { topic_links: [] } })
})

it('links URLs in topics', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const queue = await owner.register({ event_types: ['message'] })
  await owner.send('general', 'Read https://example.org now', 'Hi')
  const topic_links = [{ text: 'https://example.org', url: 'https://example.org' }]
  expect(await queue.events()).toMatchObject([{ message: { topic_links } }])
})

it('applies linkifiers in the order set by administrators', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const any = { pattern: '(?P<any>[#0-9]+)', url_template: 'https://any.example.com/{any}' }
  const [bug, second] = [await addLinkifier(owner, BUG_LINKIFIER), await addLinkifier(owner, any)]
  const sendAndRender = async (): Promise<unknown> => {
    const { message } = await owner.call('GET', `/messages/${await owner.send('general', 'hello', '#12')}`)
    return message['content']
  }
  expect(await sendAndRender()).toBe('<p><a href="https://bugs.example.com/12">#12</a></p>')
  await owner.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [second, bug] })
  expect(await sendAndRender()).toBe('<p><a href="https://any.example.com/%2312">#12</a></p>')
})

it('keeps linkifiers and their order after a restart', async () => {
  const { owner, host } = await server().organization()
  const [bug, wiki] = [await addLinkifier(owner, BUG_LINKIFIER), await addLinkifier(owner, WIKI_LINKIFIER)]
  await owner.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [wiki, bug] })
  const other = await startTestServerOn(server().database, {}, { shared: true })
  try {
    const again = new TestUser(other.parley.url, host, owner.email, owner.apiKey, owner.id)
    expect(await listLinkifiers(again)).toEqual([
      { ...WIKI_LINKIFIER, id: wiki },
      { ...BUG_LINKIFIER, id: bug },
    ])
  } finally {
    await other.close()
  }
})

it('lets only administrators change linkifiers or learn which linkifier IDs exist', async () => {
  const { owner, user } = await server().organization()
  const id = await addLinkifier(owner, BUG_LINKIFIER)
  const queue = await owner.register()
  for (const role of [300, 400, 600] as const) {
    const somebody = await user(`Role ${role}`, { role })
    await queue.events()
    const attempts = [
      await somebody.try('POST', '/realm/filters', WIKI_LINKIFIER),
      await somebody.try('POST', '/realm/filters', { pattern: '(', url_template: '{' }),
      await somebody.try('PATCH', `/realm/filters/${id}`, WIKI_LINKIFIER),
      await somebody.try('PATCH', '/realm/filters/999999', WIKI_LINKIFIER),
      await somebody.try('DELETE', `/realm/filters/${id}`),
      await somebody.try('DELETE', '/realm/filters/999999'),
      await somebody.try('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [id] }),
    ]
    for (const { status, body } of attempts) {
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Must be an organization administrator'])
    }
    expect(await queue.events()).toEqual([])
  }
  expect(await listLinkifiers(owner)).toEqual([{ ...BUG_LINKIFIER, id }])
})

it.each([
  ['an unclosed group', '#(?P<id>[0-9]+', 'https://x.example/{id}', 'Bad regular expression'],
  ['a back-reference', '(?P<id>a)\\1', 'https://x.example/{id}', 'Bad regular expression'],
  ['a look-ahead', '#(?=a)(?P<id>b)', 'https://x.example/{id}', 'Bad regular expression'],
  ['a pattern that matches empty text', '(?P<id>[0-9]*)', 'https://x.example/{id}', 'Bad regular expression'],
  ['too many repeats', '(?P<id>((x{1000}){1000}){1000})', 'https://x.example/{id}', 'Bad regular expression'],
  ['long repeats', '(?P<id>x{999})#(?:y{999})(?:z{999})', 'https://x.example/{id}', 'Bad regular expression'],
  [
    'repeats of a large group',
    `(?P<id>(?:${'[ab]'.repeat(100)}){50})`,
    'https://x.example/{id}',
    'Bad regular expression',
  ],
  ['no pattern', '', 'https://x.example/', 'Bad regular expression'],
  ['an unclosed template expression', BUG_LINKIFIER.pattern, 'https://x.example/{id', 'Invalid URL template.'],
  ['a script URL', BUG_LINKIFIER.pattern, 'JavaScript:alert({id})', 'Invalid URL template.'],
  ['a template that can become a script URL', '#(?P<id>.+)', '{+id}', 'Invalid URL template.'],
  ['no template', BUG_LINKIFIER.pattern, ' ', 'Invalid URL template.'],
  [
    'a group missing in the template',
    BUG_LINKIFIER.pattern,
    'https://x.example/',
    "Group 'id' in linkifier pattern is not present in URL template.",
  ],
  [
    'a variable missing in the pattern',
    BUG_LINKIFIER.pattern,
    'https://x.example/{id}/{repo}',
    "Group 'repo' in URL template is not present in linkifier pattern.",
  ],
  [
    "another linkifier's pattern",
    WIKI_LINKIFIER.pattern,
    'https://x.example/{page}',
    'A linkifier with this pattern already exists.',
  ],
])('rejects a linkifier with %s', async (_, pattern, url_template, msg) => {
  const { owner } = await server().organization()
  const [bug, wiki] = [await addLinkifier(owner, BUG_LINKIFIER), await addLinkifier(owner, WIKI_LINKIFIER)]
  const queue = await owner.register()
  for (const [method, path] of [
    ['POST', '/realm/filters'],
    ['PATCH', `/realm/filters/${bug}`],
  ] as const) {
    const { status, body } = await owner.try(method, path, { pattern, url_template })
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', msg])
  }
  expect(await queue.events()).toEqual([])
  expect(await listLinkifiers(owner)).toEqual([
    { ...BUG_LINKIFIER, id: bug },
    { ...WIKI_LINKIFIER, id: wiki },
  ])
})

it('rejects missing linkifiers, incomplete orders, and overlong values', async () => {
  const { owner } = await server().organization()
  const [bug, wiki] = [await addLinkifier(owner, BUG_LINKIFIER), await addLinkifier(owner, WIKI_LINKIFIER)]
  const queue = await owner.register()
  for (const [method, path, parameters] of [
    ['PATCH', '/realm/filters/999999', BUG_LINKIFIER],
    ['DELETE', '/realm/filters/999999', {}],
    ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [bug] }],
    ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [bug, bug] }],
    ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [bug, wiki, bug] }],
    ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [bug, 999_999] }],
    ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [] }],
  ] as const) {
    const { status, body } = await owner.try(method, path, parameters)
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  }
  const prefix = 'https://x.example/'
  const attempt = async (more: Partial<typeof BUG_LINKIFIER>): Promise<number> =>
    (await owner.try('POST', '/realm/filters', { pattern: 'x', url_template: prefix, ...more })).status
  expect(await attempt({ pattern: '😀'.repeat(1_001) })).toBe(400)
  expect(await attempt({ url_template: prefix + '😀'.repeat(1_001 - prefix.length) })).toBe(400)
  await owner.call('PATCH', `/realm/filters/${bug}`, BUG_LINKIFIER)
  await owner.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [bug, wiki] })
  expect(await queue.events()).toEqual([])
  expect(
    await attempt({ pattern: '😀'.repeat(1_000), url_template: prefix + '😀'.repeat(1_000 - prefix.length) }),
  ).toBe(200)
})

it('refuses more linkifiers than the limit', async () => {
  const { id: organizationId, owner } = await server().organization()
  const log = await server().parley.logs.of(organizationId)
  await log.write(async (tx) => {
    const kept = Array.from({ length: LINKIFIER_LIMIT.most - 1 }, (_, index) => ({
      ...BUG_LINKIFIER,
      id: tx.nextId(),
      pattern: `bug${index}:(?P<id>[0-9]+)`,
    }))
    const rows = kept.map((linkifier, position) => ({ organization_id: organizationId, position, ...linkifier }))
    await tx.db.insertInto('realm_linkifiers').values(rows).execute()
    tx.change(linkifiersProjection, kept)
  })
  await addLinkifier(owner, BUG_LINKIFIER)
  const { status, body } = await owner.try('POST', '/realm/filters', WIKI_LINKIFIER)
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect(await listLinkifiers(owner)).toHaveLength(LINKIFIER_LIMIT.most)
})
