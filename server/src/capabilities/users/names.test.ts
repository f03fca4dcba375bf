import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { writeUser } from './actions/index.ts'
import { usersProjection } from './queries/index.ts'

const server = useTestServer()

/**
 * Names that look like another name, because they contain characters that are invisible or change the text
 * direction.
 */
const DISGUISED_NAMES = [
  'Ann\u200b Able',
  'Ann\u2060 Able',
  'Ann \u00adAble',
  'Ann\ufeff Able',
  'Ann Able\u3164',
  'Ann Able\ufe0f',
  'A\u200dnn Able',
  'Ann Able\u{e0041}',
  '\u202eelbA nnA',
  'Ann\u2066 Able',
  'Ann Able\u200f',
  'Ann\u2028Able',
  'Ann\ufff9 Able',
  'Ann\u2800Able',
  'Ann\u{1d159}Able',
  'Ann Able\u{e0100}',
]

const HARMLESS_NAMES = [
  'علی‌رضا',
  'श्री‍धर',
  'Ann 👩‍🚀',
  'Ann ❤️',
  'Ann 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'Ann 1️⃣',
  'Ann ☎\ufe0e',
  '辻\u{e0100} 花子',
]

async function nameOf(user: TestUser): Promise<unknown> {
  return (await user.call('GET', '/users/me'))['full_name']
}

it('rejects personal names with hidden or direction-changing characters', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann Able')
  const look = await watch({ owner })
  for (const full_name of DISGUISED_NAMES) {
    const { status, body } = await ann.try('PATCH', '/settings', { full_name })
    expect([full_name, status, body['code'], body['msg']]).toEqual([
      full_name,
      400,
      'BAD_REQUEST',
      'Invalid characters in name!',
    ])
  }
  expect(await nameOf(ann)).toBe('Ann Able')
  expect(await look()).toEqual({ owner: [] })
  for (const full_name of HARMLESS_NAMES) {
    await ann.call('PATCH', '/settings', { full_name })
    expect(await nameOf(ann)).toBe(full_name)
  }
})

it("rejects names that look like the notification bot's", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann Able')
  const taken = ['Notification Bot', 'notification  bot', 'Ｎotification Bot', 'NOTIFICATION BOT']
  for (const full_name of taken) {
    const answers = [
      await ann.try('PATCH', '/settings', { full_name }),
      await owner.try('PATCH', `/users/${ann.id}`, { full_name }),
      await owner.try('POST', '/bots', { full_name, short_name: 'speaker' }),
      await owner.try('POST', '/users', { email: 'new@example.com', password: 'a long password', full_name }),
    ]
    for (const { status, body } of answers) {
      expect([full_name, status, body['msg']]).toEqual([full_name, 400, 'Name is already in use.'])
    }
  }
  expect(await nameOf(ann)).toBe('Ann Able')
})

it("keeps legacy names that look like the notification bot's", async () => {
  const { id, owner, user } = await server().organization()
  const ann = await user('Ann Able')
  const log = await server().parley.logs.of(id)
  const legacy = 'Notification\u200b Bot'
  await log.write(async (tx) => {
    const before = tx.organization.of(usersProjection).byId.get(ann.id)
    if (before === undefined) throw new Error('it was made above')
    await writeUser(tx, { ...before, fullName: legacy })
  })
  const look = await watch({ owner })
  await ann.call('PATCH', '/settings', { full_name: legacy, timezone: 'Europe/Berlin' })
  await owner.call('PATCH', `/users/${ann.id}`, { full_name: legacy, role: 300 })
  expect(await nameOf(ann)).toBe(legacy)
  for (const full_name of ['Notification Bot', 'Notification\u2060 Bot']) {
    expect((await ann.try('PATCH', '/settings', { full_name })).status).toBe(400)
  }
  expect((await look()).owner.flatMap(({ person }) => Object.keys(person ?? {}))).not.toContain('full_name')
  await ann.call('PATCH', '/settings', { full_name: 'Ann Able' })
  expect(await nameOf(ann)).toBe('Ann Able')
})

it('compares names by appearance if names must be unique', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann Able'), await user('Bob')]
  const bot = await owner.try('POST', '/bots', { full_name: 'Ａnn  able', short_name: 'able' })
  expect([bot.status, bot.body['msg']]).toEqual([400, 'Name is already in use.'])
  await owner.call('PATCH', '/realm', { require_unique_names: true })
  const { status, body } = await bob.try('PATCH', '/settings', { full_name: 'ann  ＡBLE' })
  expect([status, body['msg']]).toEqual([400, 'Unique names required in this organization.'])
  await ann.call('PATCH', '/settings', { full_name: 'ANN ABLE' })
  expect(await nameOf(ann)).toBe('ANN ABLE')
})

it('rejects hidden characters in names of channels, folders, groups, and topics', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['plans'])
  const look = await watch({ owner })
  for (const name of ['pla\u200bns', '\u202esnalp', 'plans\u2060']) {
    const answers = [
      await owner.try('POST', '/users/me/subscriptions', { subscriptions: [{ name }] }),
      await owner.try('POST', '/channel_folders/create', { name, description: '' }),
      await owner.try('POST', '/user_groups/create', { name, description: '', members: [] }),
      await owner.try('POST', '/messages', { type: 'stream', to: 'plans', topic: name, content: 'x' }),
    ]
    for (const { status, body } of answers) expect([name, status, body['code']]).toEqual([name, 400, 'BAD_REQUEST'])
  }
  expect(await look()).toEqual({ owner: [] })
})
