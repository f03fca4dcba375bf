import sharp from 'sharp'
import { expect, it } from 'vitest'
import { sendFiles } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'

const server = useTestServer()

async function findIds(user: TestUser, narrow: unknown, parameters: Body = {}): Promise<number[]> {
  const window = { anchor: 'newest', num_before: 100, num_after: 0 }
  const { messages } = await user.call('GET', '/messages', { ...window, ...parameters, narrow })
  return messages.map(({ id }) => id)
}

async function refusal(user: TestUser, narrow: unknown): Promise<unknown> {
  const window = { anchor: 'newest', num_before: 1, num_after: 1 }
  const { status, body } = await user.try('GET', '/messages', { ...window, narrow })
  return { status, code: body['code'], desc: body['desc'] }
}

it('finds messages by phrases, by topics, and by words in any order and form', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const first = await owner.send('news', 'release', 'We are **deploying** the new server on Friday')
  const second = await owner.send(
    'news',
    'lunch',
    'the server room is closed; see https://wiki.example.com/rooms/server_2',
  )
  const third = await owner.sendTo([owner.id], 'Friday: deployed release 3.14 to the server')
  const greek = await owner.send('news', 'lunch', 'Καλημέρα, κόσμε!')
  const expected: [string, number[]][] = [
    ['deploy', [first, third]],
    ['SERVER friday', [first, third]],
    ['"on friday"', [first]],
    ['"friday on"', []],
    ['"new server" deploys', [first]],
    ['release', [first, third]],
    ['release lunch', []],
    ['rooms', [second]],
    ['wiki.example.com', [second]],
    ['example.wiki', []],
    ['3.14', [third]],
    ['the', [first, second, third]],
    ['καλημέρα', [greek]],
    ['absent', []],
    ['', []],
    ['!? "" "', []],
    [`"new' server" or 1=1; --`, []],
    ["server:* & !friday | (news) <-> \\'", []],
  ]
  for (const [operand, found] of expected) {
    expect([operand, await findIds(owner, [{ operator: 'search', operand }])]).toEqual([operand, found])
  }
  expect(await findIds(owner, [{ operator: 'search', operand: 'server', negated: true }])).toEqual([greek])
  const both = [
    { operator: 'search', operand: 'server' },
    { operator: 'topic', operand: 'lunch' },
  ]
  expect(await findIds(owner, both)).toEqual([second])
  expect(await refusal(owner, [['search', Array.from({ length: 51 }, (_, i) => `w${i}`).join(' ')]])).toMatchObject({
    status: 400,
    code: 'BAD_NARROW',
  })
})

it('highlights search matches without breaking tags, entities, or formulas', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const searchHighlights = async (
    content: string,
    operand: string,
    topic = 'a & <b> cake',
  ): Promise<[unknown, unknown]> => {
    const id = await owner.send('news', topic, content)
    const window = { anchor: id, num_before: 0, num_after: 0 }
    const { messages } = await owner.call('GET', '/messages', { ...window, narrow: [['search', operand]] })
    const [message] = messages
    const matched = await owner.call('GET', '/messages/matches_narrow', {
      msg_ids: [id],
      narrow: [{ operator: 'search', operand }],
    })
    const { match_content, match_subject } = matched['messages'][id] ?? {}
    expect([message?.['match_content'], message?.['match_subject']]).toEqual([match_content, match_subject])
    return [match_content, match_subject]
  }
  const hit = (word: string): string => `<span class="highlight">${word}</span>`
  expect(await searchHighlights('Two **cakes** & a class', 'cake')).toEqual([
    `<p>Two <strong>${hit('cakes')}</strong> &amp; a class</p>`,
    `a &amp; &lt;b&gt; ${hit('cake')}`,
  ])
  expect(await searchHighlights('[strong](https://p.example) amp & strong <p>', 'strong amp p')).toEqual([
    `<p><a href="https://p.example">${hit('strong')}</a> ${hit('amp')} &amp; ${hit('strong')} &lt;${hit('p')}&gt;</p>`,
    'a &amp; &lt;b&gt; cake',
  ])
  expect(await searchHighlights('one two one three two', '"one two"')).toEqual([
    `<p>${hit('one')} ${hit('two')} one three two</p>`,
    'a &amp; &lt;b&gt; cake',
  ])
  expect(await searchHighlights('general chat', '"general chat"', '')).toEqual([
    `<p>${hit('general')} ${hit('chat')}</p>`,
    `${hit('general')} ${hit('chat')}`,
  ])
  const [formula] = await searchHighlights('$$x$$ and x', 'x')
  expect(formula).toContain(`and ${hit('x')}`)
  expect(/<math.*<\/math>/s.exec(String(formula))?.[0]).not.toContain('highlight')
})

it('reports which of the given messages match a narrow, omitting messages that the reader cannot see', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const [seen, other] = [await owner.send('news', 'a', 'one'), await owner.send('news', 'b', 'two')]
  const hidden = await owner.send('secret', 'a', 'one')
  const narrow = [{ operator: 'topic', operand: 'a' }]
  const answer = await ann.call('GET', '/messages/matches_narrow', { msg_ids: [seen, other, hidden, 999_999], narrow })
  expect(answer['messages']).toEqual({ [seen]: { match_content: '<p>one</p>', match_subject: 'a' } })
  const { body } = await ann.try('GET', '/messages/matches_narrow', {
    msg_ids: [seen],
    narrow: [{ operator: 'x', operand: 'y' }],
  })
  expect(body['code']).toBe('BAD_NARROW')
})

it('filters direct messages by current and legacy operators', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, ben.id] })
  const channel = await ann.send('news', 'hello', 'to a channel')
  const [self, one] = [await owner.sendTo([owner.id], 'to myself'), await owner.sendTo([ann.id], 'to one')]
  const [other, group] = [await ben.sendTo([owner.id], 'to me'), await owner.sendTo([ann.id, ben.id], 'to both')]
  const hidden = await ann.sendTo([ben.id], 'to somebody else')
  const msg_ids = [channel, self, one, other, group, hidden]
  const both = `${ann.email},${ben.email}`
  const expected: [operators: string[], operand: unknown, found: number[]][] = [
    [['dm', 'pm-with', 'pm_with'], ann.email, [one]],
    [['dm', 'pm-with', 'pm_with'], [ann.id], [one]],
    [['dm', 'pm-with', 'pm_with'], both, [group]],
    [['dm', 'pm-with', 'pm_with'], both.replace(',', ', '), [group]],
    [['dm', 'pm-with', 'pm_with'], owner.email, [self]],
    [['dm-including'], ann.email, [one, group]],
    [['dm-including'], [ben.id], [other, group]],
    [['dm-including'], both, [group]],
    [['group-pm-with', 'group_pm_with'], ann.email, [group]],
    [['group-pm-with', 'group_pm_with'], [ben.id], [group]],
  ]
  const narrows = [
    ...['dm', 'private'].map((operand) => [{ operator: 'is', operand }, [self, one, other, group]] as const),
    ...expected.flatMap(([operators, operand, found]) =>
      operators.map((operator) => [{ operator, operand }, found] as const),
    ),
  ]
  for (const [term, found] of narrows) {
    expect([term, await findIds(owner, [term])]).toEqual([term, found])
    const { messages } = await owner.call('GET', '/messages/matches_narrow', { msg_ids, narrow: [term] })
    expect([term, Object.keys(messages).map(Number)]).toEqual([term, found])
  }
})

it("finds a message's current conversation by `with` unless the message is hidden", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const [first, second] = [await owner.send('news', 'a', 'one'), await owner.send('news', 'b', 'two')]
  const hidden = await owner.send('secret', 'a', 'three')
  const direct = await owner.sendTo([ann.id], 'four')
  const withMessage = (id: number, more: unknown[] = []): unknown[] => [...more, { operator: 'with', operand: id }]
  const place = [
    ['channel', 'news'],
    ['topic', 'b'],
  ]
  expect(await findIds(ann, withMessage(first))).toEqual([first])
  expect(await findIds(ann, withMessage(first, place))).toEqual([first])
  expect(await findIds(ann, withMessage(direct, place))).toEqual([direct])
  expect(await findIds(ann, withMessage(hidden, place))).toEqual([second])
  expect(await findIds(ann, withMessage(999_999, place))).toEqual([second])
  const absent = await refusal(ann, withMessage(999_999))
  expect(absent).toMatchObject({ status: 400, code: 'BAD_NARROW' })
  expect(await refusal(ann, withMessage(hidden))).toEqual(absent)
  expect(await refusal(ann, [...withMessage(first), ...withMessage(second)])).toMatchObject({
    status: 400,
    code: 'BAD_NARROW',
  })
  expect(await refusal(ann, [{ operator: 'with', operand: first, negated: true }])).toMatchObject({
    status: 400,
    code: 'BAD_NARROW',
  })
})

it('finds messages with links, files, images, and reactions', async () => {
  const { owner } = await server().organization()
  const upload = async (name: string, content: Buffer | string): Promise<string> => {
    const { body } = await sendFiles(owner, '/user_uploads', [{ name, content }])
    return `[file](${String(body['url'])})`
  }
  const plain = await owner.sendTo([owner.id], 'plain :tada:')
  const link = await owner.sendTo([owner.id], 'https://a.example')
  const file = await owner.sendTo([owner.id], await upload('a.txt', 'x'))
  const red = sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
  const picture = await owner.sendTo([owner.id], await upload('a.png', await red.png().toBuffer()))
  await owner.call('POST', `/messages/${plain}/reactions`, { emoji_name: 'tada' })
  expect(await findIds(owner, [['has', 'link']])).toEqual([link, file, picture])
  expect(await findIds(owner, [['has', 'attachment']])).toEqual([file, picture])
  expect(await findIds(owner, [['has', 'image']])).toEqual([picture])
  expect(await findIds(owner, [['has', 'reaction']])).toEqual([plain])
  expect(await findIds(owner, [{ operator: 'has', operand: 'link', negated: true }])).toEqual([plain])
})

it('finds messages of public channels that the reader can read without a subscription', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus', { role: 600 })]
  await owner.subscribe(['open'])
  await owner.subscribe(['secret'], { invite_only: true })
  const open = await owner.send('open', 'a', 'word')
  await owner.send('secret', 'a', 'word')
  for (const operator of ['channels', 'streams']) {
    expect(await findIds(ann, [[operator, 'public']])).toEqual([open])
    expect(await findIds(guest, [[operator, 'public']])).toEqual([])
  }
  expect(await findIds(ann, [['search', 'word']])).toEqual([])
  const searched = [
    ['channels', 'public'],
    ['search', 'word'],
  ]
  expect(await findIds(ann, searched)).toEqual([open])
})

it('rejects invalid operators with BAD_NARROW and a description', async () => {
  const { owner } = await server().organization()
  for (const term of [
    ['is', 'absent'],
    ['has', 'absent'],
    ['in', 'absent'],
    ['channels', 'absent'],
    ['near', 'here'],
    ['with', 'this'],
    ['constructor', 'x'],
    ['dm-including', ''],
    { operator: 'search', operand: 5 },
    { operator: 'sender', operand: -1 },
    { operator: 'is', operand: [1] },
  ]) {
    const desc: unknown = expect.stringMatching(/./)
    expect([term, await refusal(owner, [term])]).toEqual([term, { status: 400, code: 'BAD_NARROW', desc }])
  }
})

it('sends to an event queue only messages that match its narrow', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news', 'work'], { principals: [owner.id, ann.id] })
  const follow = async (narrow: [string, string][]): Promise<() => Promise<unknown[]>> => {
    const queue = await ann.register({ narrow, event_types: ['message'] })
    return async () => (await queue.events()).map((event) => event['message']?.['content'])
  }
  const queues = {
    channel: await follow([['channel', 'news']]),
    topic: await follow([
      ['stream', 'news'],
      ['topic', 'Plans'],
    ]),
    sender: await follow([['sender', ann.email]]),
    dm: await follow([['is', 'dm']]),
    unread: await follow([['is', 'unread']]),
    resolved: await follow([['is', 'resolved']]),
    link: await follow([['has', 'link']]),
  }
  await owner.send('news', 'plans', 'one')
  await owner.send('news', '✔ plans', 'two')
  await ann.send('work', 'plans', 'three http://x.example', { read_by_sender: true })
  await owner.sendTo([ann.id], 'four')
  const p = (text: string): string => `<p>${text}</p>`
  const link = p('three <a href="http://x.example">http://x.example</a>')
  expect(await queues.channel()).toEqual([p('one'), p('two')])
  expect(await queues.topic()).toEqual([p('one')])
  expect(await queues.sender()).toEqual([link])
  expect(await queues.dm()).toEqual([p('four')])
  expect(await queues.unread()).toEqual([p('one'), p('two'), p('four')])
  expect(await queues.resolved()).toEqual([p('two')])
  expect(await queues.link()).toEqual([link])
})

it('rejects queue narrows that a new message cannot be matched against', async () => {
  const { owner } = await server().organization()
  for (const pair of [
    ['search', 'word'],
    ['is', 'followed'],
    ['is', 'muted'],
    ['has', 'reaction'],
    ['channels', 'public'],
    ['with', '1'],
    ['channel', 'absent'],
    ['absent', 'x'],
  ]) {
    const { status, body } = await owner.try('POST', '/register', { narrow: [pair] })
    expect([pair, status, body['code']]).toEqual([pair, 400, 'BAD_NARROW'])
  }
})
