import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../testing/user.ts'
import { MAX_PROPERTIES_AT_ONCE } from './contract/index.ts'

const server = useTestServer()

async function idOf(user: TestUser, name: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

async function subscriptionTo(user: TestUser, streamId: number): Promise<Body | undefined> {
  const { subscriptions } = await user.call('GET', '/users/me/subscriptions')
  return subscriptions.find((candidate) => candidate['stream_id'] === streamId)
}

async function updateSettings(user: TestUser, subscription_data: unknown): Promise<Body> {
  const { status, body } = await user.try('POST', '/users/me/subscriptions/properties', { subscription_data })
  return { status, ...body }
}

it("changes personal subscription settings and notifies only their owner's clients", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const stream_id = await idOf(ann, 'news')
  const [own, others] = [await ann.register(), await owner.register()]
  const choices: [string, unknown][] = [
    ['color', '#c2c2c2'],
    ['color', '#FA0'],
    ['pin_to_top', true],
    ['desktop_notifications', true],
    ['audible_notifications', false],
    ['push_notifications', true],
    ['email_notifications', false],
    ['wildcard_mentions_notify', false],
  ]
  for (const [property, value] of choices) {
    expect(await updateSettings(ann, [{ stream_id, property, value }])).toMatchObject({ status: 200 })
    expect(await own.events()).toMatchObject([{ type: 'subscription', op: 'update', stream_id, property, value }])
    expect(await subscriptionTo(ann, stream_id)).toMatchObject({ [property]: value })
    await ann.call('PATCH', `/users/me/subscriptions/${stream_id}`, { property, value })
  }
  expect(await own.events()).toEqual([])
  expect(await others.events()).toEqual([])
  expect(await subscriptionTo(owner, stream_id)).toMatchObject({ pin_to_top: false, push_notifications: null })
})

it('reports muting as both is_muted and in_home_view', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const stream_id = await idOf(owner, 'news')
  const queue = await owner.register()
  for (const [property, value, is_muted] of [
    ['is_muted', true, true],
    ['is_muted', false, false],
    ['in_home_view', false, true],
    ['in_home_view', true, false],
  ] as const) {
    await owner.call('PATCH', `/users/me/subscriptions/${stream_id}`, { property, value })
    expect(await queue.events()).toMatchObject([
      { op: 'update', property: 'is_muted', value: is_muted },
      { op: 'update', property: 'in_home_view', value: !is_muted },
    ])
    expect(await subscriptionTo(owner, stream_id)).toMatchObject({ is_muted, in_home_view: !is_muted })
  }
})

it('keeps personal channel settings after leaving and rejoining', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const stream_id = await idOf(owner, 'news')
  await updateSettings(owner, [
    { stream_id, property: 'pin_to_top', value: true },
    { stream_id, property: 'color', value: '#111111' },
    { stream_id, property: 'color', value: '#222222' },
  ])
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['news'] })
  expect(await updateSettings(owner, [{ stream_id, property: 'pin_to_top', value: false }])).toMatchObject({
    status: 400,
  })
  await owner.subscribe(['news'])
  expect(await subscriptionTo(owner, stream_id)).toMatchObject({ pin_to_top: true, color: '#222222' })
})

it('changes no subscription settings if any of them is invalid', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['open'])
  const [stream_id, secret, open] = [await idOf(ann, 'news'), await idOf(owner, 'secret'), await idOf(ann, 'open')]
  const queue = await ann.register({ client_capabilities: ALL_CAPABILITIES })
  const pin = { stream_id, property: 'pin_to_top', value: true }
  const chooseInvalid = async (bad: Body): Promise<Body> => updateSettings(ann, [pin, { ...pin, ...bad }])
  // Hidden, missing, and unsubscribed channels get the same error except for the ID.
  const answers = await Promise.all([secret, open, 999_999].map((id) => chooseInvalid({ stream_id: id })))
  for (const [index, id] of [secret, open, 999_999].entries()) {
    expect(answers[index]).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      msg: `Not subscribed to channel id ${id}`,
    })
  }
  for (const bad of [
    { value: 'yes' },
    { property: 'color', value: true },
    { property: 'color', value: 'red' },
    { property: 'color', value: '#1234567' },
    { property: 'color', value: '#ggg' },
  ]) {
    expect([bad, await chooseInvalid(bad)]).toMatchObject([bad, { status: 400, code: 'BAD_REQUEST' }])
  }
  expect(await chooseInvalid({ property: 'name' })).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_INVALID' })
  expect(await chooseInvalid({ value: null })).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_INVALID' })
  const many = Array.from({ length: MAX_PROPERTIES_AT_ONCE + 1 }, () => pin)
  expect(await updateSettings(ann, many)).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_INVALID' })
  expect(await queue.events()).toEqual([])
  expect(await subscriptionTo(ann, stream_id)).toMatchObject({ pin_to_top: false })
  expect(await updateSettings(ann, many.slice(1))).toMatchObject({ status: 200 })
  expect(await queue.events()).toHaveLength(1)
})
