import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer()

it("returns a channel by ID, a channel's ID by name, and a channel's subscribers", async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['News'], { principals: [owner.id, ann.id] })
  const { stream_id } = await ben.call('GET', '/get_stream_id', { stream: 'NEWS' })
  const { streams } = await ben.call('GET', '/streams')
  const listed = streams.find((candidate) => candidate['name'] === 'News')
  expect(listed?.['stream_id']).toBe(stream_id)
  const path = String(stream_id)
  expect((await ben.call('GET', `/streams/${path}`))['stream']).toEqual(listed)
  expect((await ben.call('GET', `/streams/${path}/members`))['subscribers']).toEqual([owner.id, ann.id])
  const status = async (userId: number): Promise<unknown> =>
    (await ben.call('GET', `/users/${userId}/subscriptions/${path}`))['is_subscribed']
  expect([await status(ann.id), await status(ben.id)]).toEqual([true, false])
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['News'], principals: [ann.id] })
  expect(await status(ann.id)).toBe(false)
  expect((await ben.call('GET', `/streams/${path}/members`))['subscribers']).toEqual([owner.id])
})

it('omits deactivated accounts from subscribers', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['News'], { principals: [owner.id, ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'News' })
  await owner.call('DELETE', `/users/${ann.id}`)
  expect((await owner.call('GET', `/streams/${String(stream_id)}/members`))['subscribers']).toEqual([owner.id])
  expect((await owner.call('GET', `/users/${ann.id}/channels`))['subscribed_channel_ids']).toEqual([])
})

it("lists a user's channels that the reader can see", async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const principals = [owner.id, ann.id]
  await owner.subscribe(['news'], { principals })
  await owner.subscribe(['secret'], { principals, invite_only: true })
  await owner.subscribe(['elsewhere'])
  const idOf = async (name: string): Promise<unknown> =>
    (await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id']
  const listed = async (reader: typeof ann): Promise<unknown> =>
    (await reader.call('GET', `/users/${ann.id}/channels`))['subscribed_channel_ids']
  expect(await listed(ann)).toEqual([await idOf('news'), await idOf('secret')])
  expect(await listed(owner)).toEqual([await idOf('news'), await idOf('secret')])
  expect(await listed(ben)).toEqual([await idOf('news')])
})

it('treats hidden channels as missing and rejects missing users in read requests', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus', { role: 600 })]
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['news'])
  const idOf = async (name: string): Promise<string> =>
    String((await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id'])
  for (const [reader, name] of [
    [ann, 'secret'],
    [guest, 'news'],
  ] as const) {
    const id = await idOf(name)
    for (const path of ['/streams/ID', '/streams/ID/members', `/users/${owner.id}/subscriptions/ID`]) {
      const hidden = await reader.try('GET', path.replace('ID', id))
      const absent = await reader.try('GET', path.replace('ID', '999999'))
      expect(hidden.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
      expect(hidden.body).toEqual(absent.body)
    }
    const hidden = await reader.try('GET', '/get_stream_id', { stream: name })
    const absent = await reader.try('GET', '/get_stream_id', { stream: 'absent' })
    expect(hidden.body).toMatchObject({ code: 'BAD_REQUEST' })
    expect(String(hidden.body['msg']).replace(name, 'absent')).toBe(absent.body['msg'])
  }
  const news = await idOf('news')
  for (const path of ['/users/999999/channels', `/users/999999/subscriptions/${news}`]) {
    expect((await owner.try('GET', path)).body).toMatchObject({ code: 'BAD_REQUEST' })
  }
})
