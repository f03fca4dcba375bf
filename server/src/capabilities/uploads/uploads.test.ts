import { expect, it } from 'vitest'
import { anyNumber } from '../../testing/expected.ts'
import { fetchAs, fetchUnauthenticated, sendFiles, upload } from '../../testing/files.ts'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { splitText } from './rules.ts'

const server = useTestServer()

const HELLO = 'Hello, files!'

async function listUploads(user: TestUser): Promise<Body[]> {
  const { attachments } = await user.call('GET', '/attachments')
  return attachments
}

it('stores a file, returns its URL and name, and notifies only its owner', async () => {
  const { id, owner, user } = await server().organization()
  const other = await user('Ann')
  const [own, others] = [await owner.register(), await other.register()]
  const { status, body } = await sendFiles(owner, '/user_uploads', [{ name: 'note.txt', content: HELLO }])
  expect(status).toBe(200)
  expect(body).toMatchObject({ filename: 'note.txt', uri: body['url'] })
  const url = String(body['url'])
  expect(url).toMatch(new RegExp(`^/user_uploads/${id}/[\\w-]{2}/[\\w-]{22}/note\\.txt$`))
  const record = {
    name: 'note.txt',
    path_id: url.replace('/user_uploads/', ''),
    size: HELLO.length,
    messages: [],
    create_time: anyNumber,
  }
  expect(await own.events()).toMatchObject([
    { type: 'attachment', op: 'add', attachment: record, upload_space_used: HELLO.length },
  ])
  expect(await others.events()).toEqual([])
  const [shown] = await listUploads(owner)
  expect(shown).toMatchObject(record)
  expect(Math.abs(Number(shown?.['create_time']) - Date.now())).toBeLessThan(60_000)
  expect(await other.call('GET', '/attachments')).toMatchObject({ attachments: [], upload_space_used: HELLO.length })
  expect((await fetchAs(owner, url)).bytes.toString()).toBe(HELLO)
})

it('serves a file only to people who can read a message that links to it', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const url = await upload(owner, 'secret.png', HELLO)
  const absent = url.replace(/\/[\w-]{22}\//, '/aaaaaaaaaaaaaaaaaaaaaa/')
  const statusFor = async (who: TestUser): Promise<number> => (await fetchAs(who, url)).status
  expect([await statusFor(ann), await statusFor(ben)]).toEqual([404, 404])
  const queue = await owner.register()
  const id = await owner.sendTo([ann.id], `See [this](${url}).`)
  expect(await queue.events()).toMatchObject([
    { type: 'message', message: { id } },
    { type: 'attachment', op: 'update', attachment: { messages: [{ id }] }, upload_space_used: HELLO.length },
  ])
  expect([await statusFor(ann), await statusFor(ben)]).toEqual([200, 404])
  const [hidden, missing] = [await fetchAs(ben, url), await fetchAs(ben, absent)]
  expect(hidden.bytes.toString()).toBe(missing.bytes.toString())
  expect((await fetchUnauthenticated(owner, url)).status).toBe(401)
  expect((await fetchUnauthenticated(owner, absent)).status).toBe(401)
})

it('serves a file linked in a private channel only to people who can read the message with the link', async () => {
  const { owner, user } = await server().organization()
  const [ann, late, outside] = [await user('Ann'), await user('Late'), await user('Outside')]
  await owner.subscribe(['vault'], {
    principals: [owner.id, ann.id],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const url = await upload(owner, 'plan.pdf', HELLO)
  await owner.send('vault', 'plans', `[plan](${url})`)
  const statusFor = async (who: TestUser): Promise<number> => (await fetchAs(who, url)).status
  await owner.subscribe(['vault'], { principals: [late.id] })
  expect([await statusFor(ann), await statusFor(late), await statusFor(outside)]).toEqual([200, 404, 404])
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['vault'] })
  expect(await statusFor(ann)).toBe(404)
})

it('grants no access through links posted by people who cannot fetch the file', async () => {
  const { owner, user } = await server().organization()
  const [ann, thief] = [await user('Ann'), await user('Thief')]
  const url = await upload(owner, 'a.png', HELLO)
  await thief.sendTo([thief.id], `[mine now](${url})`)
  expect((await fetchAs(thief, url)).status).toBe(404)
  expect(await listUploads(owner)).toMatchObject([{ messages: [] }])
  // Recipients can forward a file. The owner is notified only of messages that the owner can read.
  const { realm_url } = await owner.call('GET', '/server_settings')
  const first = await owner.sendTo([ann.id], `${String(realm_url)}${url}`)
  await ann.sendTo([thief.id], `[it](${url}) and [it again](${url})`)
  expect((await fetchAs(thief, url)).status).toBe(200)
  expect(await listUploads(owner)).toMatchObject([{ messages: [{ id: first }] }])
})

it('updates file links on edits and deletions and reports unlinked files', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [first, second] = [await upload(owner, '1.txt', '1'), await upload(owner, '2.txt', '2')]
  const message = await owner.sendTo([ann.id], `[1](${first})`)
  const other = await owner.sendTo([ann.id], `[1](${first})`)
  const queue = await owner.register({ event_types: ['attachment'] })
  const edit = async (content: string): Promise<unknown> =>
    (await owner.call('PATCH', `/messages/${message}`, { content }))['detached_uploads']

  expect(await edit(`[2](${second})`)).toEqual([])
  expect(await queue.events()).toMatchObject([
    { op: 'update', attachment: { name: '1.txt', messages: [{ id: other }] } },
    { op: 'update', attachment: { name: '2.txt', messages: [{ id: message }] } },
  ])
  expect((await fetchAs(ann, second)).status).toBe(200)
  expect(await edit(`still [2](${second})`)).toEqual([])
  expect(await queue.events()).toEqual([])
  expect(await edit('nothing')).toMatchObject([{ name: '2.txt', messages: [] }])
  expect(await queue.events()).toMatchObject([{ op: 'update', attachment: { name: '2.txt', messages: [] } }])
  expect((await fetchAs(ann, second)).status).toBe(404)

  await owner.call('DELETE', `/messages/${other}`)
  expect(await queue.events()).toMatchObject([{ op: 'update', attachment: { name: '1.txt', messages: [] } }])
  expect((await fetchAs(ann, first)).status).toBe(404)
  expect((await fetchAs(owner, first)).status).toBe(200)
})

it('returns the times of files and their messages in milliseconds', async () => {
  const { owner } = await server().organization()
  const began = Date.now()
  const url = await upload(owner, 'a.txt', HELLO)
  const id = await owner.sendTo([owner.id], `[a](${url})`)
  const [file] = await listUploads(owner)
  const ended = Date.now()
  const [message] = objectsIn(file?.['messages'] ?? [])
  expect(file).toEqual({
    id: anyNumber,
    name: 'a.txt',
    path_id: url.replace('/user_uploads/', ''),
    size: HELLO.length,
    create_time: anyNumber,
    messages: [{ id, date_sent: anyNumber }],
  })
  for (const time of [file?.['create_time'], message?.date_sent]) {
    // Message times are rounded down to whole seconds.
    expect(time).toBeGreaterThan(began - 1000)
    expect(time).toBeLessThanOrEqual(ended)
  }
})

it('splits texts into overlapping parts, between words if possible', () => {
  const words = Array.from({ length: 3_000 }, (_, index) => `w${index}`)
  const parts = splitText(words.join(' '))
  expect(parts.length).toBeGreaterThan(2)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(4_000)
  expect([...new Set(parts.flatMap((part) => part.trim().split(' ')))]).toEqual(words)
  for (const at of words.keys()) {
    const phrase = words.slice(at, at + 30).join(' ')
    expect(parts.some((part) => part.includes(phrase))).toBe(true)
  }
  const unbroken = splitText('𠮷'.repeat(5_000))
  expect(unbroken.every((part) => part.isWellFormed())).toBe(true)
  expect(splitText('')).toEqual([])
})
