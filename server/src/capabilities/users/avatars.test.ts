import sharp from 'sharp'
import { expect, it } from 'vitest'
import { textLike } from '../../testing/expected.ts'
import { fetchAs, fetchUnauthenticated, sendFiles } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../testing/user.ts'

const server = useTestServer()

const AVATAR_PATH = '/users/me/avatar'

async function pictureContent(width: number, height: number, background = 'red'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'where it was taken' } })
    .jpeg()
    .toBuffer()
}

async function setAvatar(user: TestUser, content: Uint8Array | string): Promise<Body> {
  const { status, body } = await sendFiles(user, AVATAR_PATH, [{ name: 'me.jpg', content }])
  return { status, ...body }
}

it('shows an uploaded picture as a square without metadata', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const modern = await owner.register({ client_external_avatar: true })
  const plain = await owner.register({ client_external_avatar: false })
  const own = await ann.register()
  const answer = await setAvatar(ann, await pictureContent(300, 200))
  expect(answer).toMatchObject({
    status: 200,
    avatar_url: textLike(/^\/user_avatars\/[\w-]{24}\.png$/),
  })
  const avatar_url = String(answer['avatar_url'])
  const person = {
    user_id: ann.id,
    avatar_url,
    avatar_url_medium: avatar_url.replace('.png', '-medium.png'),
    avatar_source: 'U',
    avatar_version: 2,
  }
  for (const queue of [modern, plain, own]) {
    expect(await queue.events()).toMatchObject([{ type: 'realm_user', op: 'update', person }])
  }
  expect((await owner.call('GET', `/users/${ann.id}`))['user']).toMatchObject({ avatar_url, avatar_version: 2 })
  expect(await ann.call('GET', '/users/me')).toMatchObject({ avatar_url })
  const { user_id: _, avatar_version: __, ...fields } = person
  expect((await ann.register()).state).toMatchObject(fields)
  const id = await ann.sendTo([owner.id], 'hello')
  expect((await owner.call('GET', `/messages/${id}`))['message']).toMatchObject({ avatar_url })
  for (const [url, side] of [
    [avatar_url, 100],
    [person.avatar_url_medium, 500],
  ] as const) {
    const { status, headers, bytes } = await fetchUnauthenticated(ann, url)
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, 'image/png', 'nosniff'])
    expect(headers['cache-control']).toContain('immutable')
    const { width, height, format, exif } = await sharp(bytes).metadata()
    expect([width, height, format, exif]).toEqual([side, side, 'png', undefined])
  }
})

it('sends an uploaded picture to a guest who becomes able to see its owner', async () => {
  const { owner, user } = await server().organization()
  const guest = await user('Gus', { role: 600 })
  const { body } = await owner.try('GET', '/user_groups')
  const groups = body['user_groups']
  const members = groups?.find((group) => group.name === 'role:members')
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: members?.id } })
  const modern = await guest.register({
    client_external_avatar: true,
    fetch_event_types: [],
    event_types: ['realm_user'],
  })
  const { avatar_url } = await setAvatar(owner, await pictureContent(10, 10))
  await owner.subscribe(['news'], { principals: [owner.id, guest.id] })
  expect(await modern.events()).toMatchObject([{ op: 'add', person: { user_id: owner.id, avatar_url } }])
})

it('restores the generated avatar and deletes the uploaded picture on request', async () => {
  const { owner } = await server().organization()
  const first = String((await setAvatar(owner, await pictureContent(10, 10)))['avatar_url'])
  const second = String((await setAvatar(owner, await pictureContent(10, 10, 'blue')))['avatar_url'])
  expect((await fetchUnauthenticated(owner, first)).status).toBe(404)
  const modern = await owner.register({ client_external_avatar: true })
  const plain = await owner.register({ client_capabilities: ALL_CAPABILITIES, client_external_avatar: false })
  const drawn = `/avatar/${owner.id}?version=4`
  expect(await owner.call('DELETE', AVATAR_PATH)).toMatchObject({ avatar_url: drawn })
  const person = { user_id: owner.id, avatar_source: 'G', avatar_version: 4 }
  expect(await modern.events()).toMatchObject([{ person: { ...person, avatar_url: null, avatar_url_medium: null } }])
  expect(await plain.events()).toMatchObject([{ person: { ...person, avatar_url: drawn, avatar_url_medium: drawn } }])
  expect((await fetchUnauthenticated(owner, second)).status).toBe(404)
  // Deleting again changes nothing and sends no events.
  expect(await owner.call('DELETE', AVATAR_PATH)).toMatchObject({ avatar_url: drawn })
  expect(await modern.events()).toEqual([])
})

it('redirects signed-in people to the avatar of a person they can see', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus', { role: 600 })]
  const drawn = await fetchAs(owner, `/avatar/${ann.id}`)
  expect([drawn.status, drawn.headers['content-type']]).toEqual([200, 'image/png'])
  const { avatar_url } = await setAvatar(ann, await pictureContent(10, 10))
  const { status, headers } = await fetchAs(owner, `/avatar/${ann.id}`)
  expect([status, headers['location'], headers['cache-control']]).toEqual([302, avatar_url, 'private, no-cache'])
  expect((await fetchUnauthenticated(owner, `/avatar/${ann.id}`)).bytes.equals(drawn.bytes)).toBe(true)
  expect((await fetchAs(guest, `/avatar/${ann.id}`)).status).toBe(302)
  const { user_groups } = await owner.call('GET', '/user_groups')
  const group = user_groups.find(({ name }) => name === 'role:members')
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: group?.id } })
  expect((await fetchAs(guest, `/avatar/${ann.id}`)).bytes.equals(drawn.bytes)).toBe(true)
})

async function describeImage(bytes: Buffer): Promise<unknown> {
  const { width, height, format } = await sharp(bytes).metadata()
  const { data } = await sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const pixels = Array.from({ length: width * height }, (_, n) => data.subarray(3 * n, 3 * n + 3).toString('hex'))
  const isMirrored = pixels.every((pixel, n) => {
    const [x, y] = [n % width, Math.floor(n / width)]
    return pixel === pixels[y * width + width - 1 - x]
  })
  const isEmptyAtRim = pixels.slice(0, (height / 10) * width).every((pixel) => pixel === pixels[0])
  return { width, height, format, colors: new Set(pixels).size, isMirrored, isEmptyAtRim }
}

it('serves generated avatars in every size by user ID and email address', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const drawn = { format: 'png', colors: 2, isMirrored: true, isEmptyAtRim: true }
  const small = await fetchAs(owner, `/avatar/${ann.id}`)
  expect(await describeImage(small.bytes)).toEqual({ width: 100, height: 100, ...drawn })
  const medium = await fetchAs(owner, `/avatar/${ann.id}/medium`)
  expect(await describeImage(medium.bytes)).toEqual({ width: 500, height: 500, ...drawn })
  const paths = [
    [small, `/avatar/${ann.id}?version=1`],
    [small, `/avatar/${ann.email}`],
    [small, `/avatar/${ann.email.toUpperCase()}`],
    [medium, `/avatar/${ann.id}/medium?version=1`],
    [medium, `/avatar/${ann.id}-medium.png?version=1`],
    [medium, `/avatar/${ann.email}/medium`],
    [medium, `/avatar/${ann.email}-medium.png`],
  ] as const
  for (const [expected, path] of paths) {
    const { status, headers, bytes } = await fetchAs(owner, path)
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'image/png'])
    expect([path, bytes.equals(expected.bytes)]).toEqual([path, true])
  }
  const { avatar_url } = await setAvatar(ann, await pictureContent(10, 10))
  for (const [expected, path] of paths) {
    const { status, headers } = await fetchAs(owner, path)
    const location = expected === small ? avatar_url : String(avatar_url).replace('.png', '-medium.png')
    expect([path, status, headers['location']]).toEqual([path, 302, location])
  }
  for (const path of [
    `/avatar/${ann.id}/large`,
    `/avatar/${ann.id}.gif`,
    '/avatar/ann',
    '/avatar/@',
    '/avatar/x/medium',
  ]) {
    expect([path, (await fetchAs(owner, path)).status]).toEqual([path, 404])
  }
})

it('serves the same avatar for a hidden email address as for an unknown address', async () => {
  const { owner, user } = await server().organization()
  const [ann, mia, guest] = [await user('Ann'), await user('Mia'), await user('Gus', { role: 600 })]
  await setAvatar(ann, await pictureContent(10, 10))
  await ann.call('PATCH', '/settings', { email_address_visibility: 4 })
  const { user_groups } = await owner.call('GET', '/user_groups')
  const group = user_groups.find(({ name }) => name === 'role:members')
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: group?.id } })
  const apiEmail = (await ann.call('GET', '/users/me'))['email']
  const fetchAvatar = async (viewer: TestUser | undefined, path: string): Promise<unknown> => {
    const { status, headers, bytes } = await (viewer === undefined
      ? fetchUnauthenticated(owner, path)
      : fetchAs(viewer, path))
    return { status, ...headers, bytes: bytes.toString('hex') }
  }
  const hidden: [TestUser | undefined, string][] = [
    [mia, ann.email],
    [guest, ann.email],
    [guest, apiEmail],
    [guest, mia.email],
    [undefined, ann.email],
    [undefined, mia.email],
    [undefined, apiEmail],
  ]
  for (const [viewer, email] of hidden) {
    for (const ending of ['', '?version=1', '/medium', '-medium.png']) {
      const absent = await fetchAvatar(viewer, `/avatar/absent@example.com${ending}`)
      expect(absent).toMatchObject({ status: 200, 'cache-control': 'private, no-cache' })
      expect(await fetchAvatar(viewer, `/avatar/${email}${ending}`)).toEqual(absent)
    }
  }
  expect(await fetchAvatar(mia, `/avatar/${apiEmail}`)).toMatchObject({ status: 302 })
  expect(await fetchAvatar(guest, `/avatar/${guest.email}`)).toEqual(await fetchAvatar(guest, `/avatar/${guest.id}`))
})

it('rejects invalid, multiple, and oversized pictures and changes nothing', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register()
  const whole = await pictureContent(200, 200)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  const bomb = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  for (const content of ['text', svg, whole.subarray(0, whole.length / 2), bomb, '']) {
    expect(await setAvatar(owner, content)).toMatchObject({ status: 400, code: 'BAD_IMAGE' })
  }
  const file = { name: 'a.jpg', content: whole }
  const tooLarge = Buffer.concat([whole, Buffer.alloc(5 * 1024 * 1024 + 1 - whole.length)])
  for (const files of [[], [file, file], [{ name: 'a.jpg', content: tooLarge }]]) {
    const { status, body } = await sendFiles(owner, AVATAR_PATH, files)
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  }
  expect(await queue.events()).toEqual([])
  expect((await setAvatar(owner, tooLarge.subarray(0, -1)))['status']).toBe(200)
})
