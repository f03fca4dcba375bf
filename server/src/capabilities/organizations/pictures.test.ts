import sharp from 'sharp'
import { expect, it } from 'vitest'
import { fetchAs, fetchUnauthenticated, sendFiles } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import { callApi, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function pictureFile(width: number, height: number): Promise<{ name: string; content: Buffer }[]> {
  const content = await sharp({ create: { width, height, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  return [{ name: 'picture.jpg', content }]
}

async function imageSizeAt(user: TestUser, url: string): Promise<unknown> {
  const { status, bytes } = await fetchUnauthenticated(user, new URL(url).pathname)
  if (status !== 200) return status
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}

const PICTURE_PATHS = { icon: '/realm/icon', logo: '/realm/logo?night=false', night_logo: '/realm/logo?night=true' }

it.each([
  { kind: 'icon', sent: [300, 200], kept: [200, 200, 'png'], byDefault: 'G' },
  { kind: 'logo', sent: [1600, 100], kept: [800, 50, 'png'], byDefault: 'D' },
  { kind: 'night_logo', sent: [40, 20], kept: [40, 20, 'png'], byDefault: 'D' },
] as const)('shows an uploaded $kind to everyone until it is removed', async ({ kind, sent, kept, byDefault }) => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const look = await watch({ owner, ann })
  const field = kind === 'icon' ? 'icon_url' : 'logo_url'
  const fields = async (): Promise<unknown[]> => {
    const { state } = await ann.register({ event_types: ['realm'] })
    return [state[`realm_${kind}_url`], state[`realm_${kind}_source`]]
  }
  const [byServer] = await fields()
  const { body } = await sendFiles(owner, PICTURE_PATHS[kind], await pictureFile(sent[0], sent[1]))
  const url = String(body[field])
  expect(await imageSizeAt(ann, url)).toEqual(kept)
  const updateEvent = (data: object): object => ({ type: 'realm', op: 'update_dict', property: kind, data })
  const uploaded = updateEvent({ [`${kind}_url`]: url, [`${kind}_source`]: 'U' })
  expect(await look()).toEqual({ owner: [uploaded], ann: [uploaded] })
  expect(await fields()).toEqual([url, 'U'])
  const { headers, status } = await fetchAs(ann, `/api/v1${PICTURE_PATHS[kind]}`)
  expect([status, headers['location']]).toEqual([302, new URL(url).pathname])
  const settings = await callApi(owner.url, owner.host, 'GET', '/server_settings', {})
  expect(settings.body['realm_icon'] === url).toBe(kind === 'icon')
  const night = kind === 'icon' ? {} : { night: kind === 'night_logo' }
  const path = kind === 'icon' ? '/realm/icon' : '/realm/logo'
  expect(await owner.call('DELETE', path, night)).toMatchObject({ [field]: byServer })
  const removed = updateEvent({ [`${kind}_url`]: byServer, [`${kind}_source`]: byDefault })
  expect(await look()).toEqual({ owner: [removed], ann: [removed] })
  expect(await fields()).toEqual([byServer, byDefault])
  expect(await imageSizeAt(ann, url)).toBe(404)
  // Removing a picture that is already removed sends no events.
  await owner.call('DELETE', path, night)
  expect(await look()).toEqual({ owner: [], ann: [] })
})

it("lets only administrators change the organization's pictures and rejects invalid images", async () => {
  const { owner, user } = await server().organization()
  const ada = await user('Ada Admin', { role: 200 })
  const mod = await user('Moe Moderator', { role: 300 })
  const look = await watch({ owner })
  for (const path of Object.values(PICTURE_PATHS)) {
    const { status, body } = await sendFiles(mod, path, await pictureFile(9, 9))
    expect([status, body['msg']]).toEqual([400, 'Must be an organization administrator'])
    expect((await mod.try('DELETE', path)).body['msg']).toBe('Must be an organization administrator')
    const bad = await sendFiles(owner, path, [{ name: 'a.png', content: 'no picture' }])
    expect(bad.body['code']).toBe('BAD_IMAGE')
    expect((await owner.try('POST', path)).body['msg']).toBe('You must upload exactly one picture.')
  }
  expect((await owner.try('DELETE', '/realm/logo')).body['code']).toBe('REQUEST_VARIABLE_MISSING')
  expect((await fetchAs(owner, '/api/v1/realm/logo')).status).toBe(400)
  expect((await fetchAs(owner, '/api/v1/realm/logo?night=1')).status).toBe(400)
  expect((await fetchUnauthenticated(owner, '/api/v1/realm/icon')).status).toBe(401)
  expect(await look()).toEqual({ owner: [] })
  expect((await sendFiles(ada, '/realm/icon', await pictureFile(9, 9))).status).toBe(200)
})
