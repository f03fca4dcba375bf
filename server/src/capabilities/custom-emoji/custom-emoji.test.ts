import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { fetchUnauthenticated, sendFiles } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { CUSTOM_EMOJI_LIMIT, MAX_EMOJI_NAME_LENGTH, type CustomEmoji } from './contract.ts'
import { customEmojiProjection } from './queries.ts'
import { expectFull } from '../../testing/full.ts'

const server = useTestServer()

let stillImage: Buffer
let animatedImage: Buffer
beforeAll(async () => {
  const frames = await Promise.all(
    ['red', 'green', 'blue'].map(async (background) =>
      sharp({ create: { width: 40, height: 20, channels: 4, background } })
        .png()
        .toBuffer(),
    ),
  )
  stillImage = frames[0] ?? Buffer.alloc(0)
  animatedImage = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer()
})

async function uploadEmoji(user: TestUser, name: string, content: Uint8Array | string = stillImage): Promise<Body> {
  const { status, body } = await sendFiles(user, `/realm/emoji/${encodeURIComponent(name)}`, [
    { name: 'x.png', content },
  ])
  return { status, ...body }
}

async function emojiOf(user: TestUser): Promise<CustomEmoji[]> {
  const { emoji } = await user.call('GET', '/realm/emoji')
  return Object.values(emoji)
}

it('adds a custom emoji and notifies everyone', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const queues = [await owner.register(), await ann.register()]
  expect(await uploadEmoji(ann, 'team-spirit_2')).toMatchObject({ status: 200 })
  const [emoji] = await emojiOf(owner)
  expect(emoji).toMatchObject({ name: 'team-spirit_2', still_url: null, deactivated: false, author_id: ann.id })
  for (const queue of queues) {
    expect(await queue.events()).toMatchObject([
      { type: 'realm_emoji', op: 'update', realm_emoji: { [emoji?.id ?? '']: emoji } },
    ])
  }
  expect((await ann.register()).state['realm_emoji']).toEqual({ [emoji?.id ?? '']: emoji })
  const { status, headers, bytes } = await fetchUnauthenticated(owner, emoji?.source_url ?? '')
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 64, hasAlpha: true })
})

it('keeps an animated emoji animated and stores its first frame', async () => {
  const { owner } = await server().organization()
  expect(await uploadEmoji(owner, 'party', animatedImage)).toMatchObject({ status: 200 })
  const [emoji] = await emojiOf(owner)
  const source = await fetchUnauthenticated(owner, emoji?.source_url ?? '')
  expect(source.headers['content-type']).toBe('image/gif')
  expect(await sharp(source.bytes, { animated: true }).metadata()).toMatchObject({
    pages: 3,
    width: 64,
    pageHeight: 64,
  })
  const first = await fetchUnauthenticated(owner, emoji?.still_url ?? '')
  expect(first.headers['content-type']).toBe('image/png')
  expect((await sharp(first.bytes).metadata()).pages).toBe(undefined)
})

it('renders a custom emoji in messages and accepts it as a reaction', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await uploadEmoji(owner, 'wumpus')
  const [emoji] = await emojiOf(owner)
  const id = await owner.sendTo([ann.id], 'look :wumpus: and :no_wumpus:')
  const { message } = await ann.call('GET', `/messages/${id}`)
  expect(message.content).toContain(`<img alt=":wumpus:" class="emoji" src="${emoji?.source_url}"`)
  const queue = await owner.register({ event_types: ['reaction'] })
  const shown = { emoji_name: 'wumpus', emoji_code: emoji?.id, reaction_type: 'realm_emoji' }
  const accepted: Body[] = [
    { emoji_name: 'wumpus' },
    shown,
    { emoji_name: 'wumpus', reaction_type: 'realm_emoji' },
    { emoji_name: 'wumpus', emoji_code: emoji?.id },
  ]
  for (const given of accepted) {
    await ann.call('POST', `/messages/${id}/reactions`, given)
    await ann.call('DELETE', `/messages/${id}/reactions`, given)
    expect(await queue.events()).toMatchObject([
      { op: 'add', ...shown, user_id: ann.id },
      { op: 'remove', ...shown },
    ])
  }
  for (const given of [
    { ...shown, emoji_name: 'other' },
    { ...shown, emoji_code: `0${emoji?.id}` },
    { ...shown, emoji_code: '999999' },
    { ...shown, emoji_code: '1f389' },
  ]) {
    const { status, body } = await ann.try('POST', `/messages/${id}/reactions`, given)
    expect([given, status, body['code']]).toEqual([given, 400, 'BAD_REQUEST'])
  }
})

it('distinguishes a custom emoji ID from an identical Unicode emoji code', async () => {
  const { id: organizationId, owner } = await server().organization()
  const row = { id: 2600, name: 'wumpus', file: 'x', deactivated: false }
  const log = await server().parley.logs.of(organizationId)
  await log.write(async (tx) => {
    const { id, name, file, deactivated } = row
    const columns = { organization_id: organizationId, id, name, file, deactivated }
    await tx.db
      .insertInto('realm_emoji')
      .values({ ...columns, author_id: owner.id, is_animated: false })
      .execute()
    tx.change(customEmojiProjection, { ...row, authorId: owner.id, isAnimated: false })
  })
  const message = await owner.sendTo([owner.id], 'x')
  const own = { emoji_name: 'wumpus', emoji_code: '2600', reaction_type: 'realm_emoji' }
  const sun = { emoji_name: 'sunny', emoji_code: '2600', reaction_type: 'unicode_emoji' }
  const path = `/messages/${message}/reactions`
  const storedContent = async (): Promise<unknown> =>
    (await owner.call('GET', `/messages/${message}`))['message']['reactions']
  for (const emoji of [own, sun]) await owner.call('POST', path, emoji)
  expect(await storedContent()).toMatchObject([own, sun])
  await owner.call('DELETE', path, { emoji_code: '2600', reaction_type: 'unicode_emoji' })
  expect(await storedContent()).toMatchObject([own])
  const again = await owner.try('DELETE', path, sun)
  expect([again.status, again.body['code']]).toEqual([400, 'REACTION_DOES_NOT_EXIST'])
})

it('keeps existing uses of a deactivated emoji and rejects new uses', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await uploadEmoji(ann, 'wumpus')
  const [before] = await emojiOf(owner)
  const id = await owner.sendTo([ann.id, ben.id], ':wumpus:')
  const reaction = { emoji_name: 'wumpus', emoji_code: before?.id, reaction_type: 'realm_emoji' }
  await ann.call('POST', `/messages/${id}/reactions`, reaction)
  const queue = await owner.register({ event_types: ['realm_emoji'] })
  const refused = await ben.try('DELETE', '/realm/emoji/wumpus')
  expect([refused.status, refused.body['code']]).toEqual([400, 'BAD_REQUEST'])
  await ann.call('DELETE', '/realm/emoji/wumpus')
  const after = { ...before, deactivated: true }
  expect(await queue.events()).toMatchObject([{ op: 'update', realm_emoji: { [before?.id ?? '']: after } }])
  expect(await emojiOf(ben)).toEqual([after])
  expect((await ann.try('DELETE', '/realm/emoji/wumpus')).body['code']).toBe('BAD_REQUEST')
  expect((await fetchUnauthenticated(owner, before?.source_url ?? '')).status).toBe(200)
  // New uses fail, but people can still join or remove existing reactions.
  const fresh = await owner.sendTo([ann.id], 'and :wumpus:')
  const { message } = await ann.call('GET', `/messages/${fresh}`)
  expect(message['content']).toBe('<p>and :wumpus:</p>')
  expect((await ann.try('POST', `/messages/${fresh}/reactions`, reaction)).status).toBe(400)
  await ben.call('POST', `/messages/${id}/reactions`, reaction)
  await ann.call('DELETE', `/messages/${id}/reactions`, reaction)
  expect(await uploadEmoji(ben, 'wumpus')).toMatchObject({ status: 200 })
  expect((await emojiOf(ben)).map(({ id: code, deactivated }) => [code === before?.id, deactivated])).toEqual([
    [true, true],
    [false, false],
  ])
})

it('rejects invalid or taken emoji names, and built-in names from non-administrators', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus', { role: 600 })]
  const queue = await owner.register()
  for (const name of ['Parrot', 'par rot', 'wumpus_', 'é', ':x:', '-', 'x'.repeat(MAX_EMOJI_NAME_LENGTH + 1), 'tada']) {
    expect([name, await uploadEmoji(ann, name)]).toMatchObject([name, { status: 400, code: 'BAD_REQUEST' }])
  }
  expect(await uploadEmoji(guest, 'wumpus')).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  expect(await uploadEmoji(ann, 'wumpus', 'no picture')).toMatchObject({ status: 400, code: 'BAD_IMAGE' })
  expect((await sendFiles(ann, '/realm/emoji/wumpus', [])).body['code']).toBe('BAD_REQUEST')
  expect(await queue.events()).toEqual([])
  expect(await emojiOf(owner)).toEqual([])
  expect(await uploadEmoji(owner, 'tada')).toMatchObject({ status: 200 })
  expect(await uploadEmoji(owner, 'x'.repeat(MAX_EMOJI_NAME_LENGTH))).toMatchObject({ status: 200 })
  expect(await uploadEmoji(ann, 'wumpus')).toMatchObject({ status: 200 })
  expect(await uploadEmoji(owner, 'wumpus')).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
})

it('rejects an animated emoji with too many frames or pixels', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const gif = async (frames: number, side: number): Promise<Buffer> => {
    const background = ['red', 'blue'] as const
    const pictures = await Promise.all(
      background.map(async (color) =>
        sharp({ create: { width: side, height: side, channels: 3, background: color } })
          .png()
          .toBuffer(),
      ),
    )
    const all = Array.from({ length: frames }, (_, index) => pictures[index % 2] ?? Buffer.alloc(0))
    return sharp(all, { join: { animated: true } })
      .gif({ loop: 0 })
      .toBuffer()
  }
  for (const [frames, side] of [
    [201, 8],
    [5, 2_000],
  ] as const) {
    expect(await uploadEmoji(ann, 'much', await gif(frames, side))).toMatchObject({ status: 400, code: 'BAD_IMAGE' })
  }
  expect(await emojiOf(owner)).toEqual([])
})

it("limits an organization's custom emoji, including deactivated emoji", async () => {
  await expectFull(CUSTOM_EMOJI_LIMIT, {
    fill: [
      `insert into realm_emoji (organization_id, id, author_id, name, file, is_animated, deactivated)
       select $1, 1000000 + n, $2, 'e' || n, '', false, n % 2 = 0 from generate_series(1, $3::int) n`,
    ],
    make: async (owner) => sendFiles(owner, '/realm/emoji/more', [{ name: 'x.png', content: stillImage }]),
    refusal: 'An organization can have at most 1000 custom emoji.',
  })
})
