import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { fetchAs } from '../server/src/testing/files.ts'
import { importExport, createZip } from './moving/converted.ts'
import { FILES, REALM_TABLES } from './moving/harbour.ts'
import { useMovingServer } from './moving/moved.ts'

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

it('imports the PNG copy of an icon or logo if the original is unreadable', async () => {
  const [icon, logo] = [await pictureOf(200, 200), await pictureOf(300, 60)]
  const sizes = (userId: number): object[] =>
    ['png', 'original'].map((ending) => {
      const path = `7/${userId}.${ending}`
      return { realm_id: 7, user_profile_id: userId, path, s3_path: path }
    })
  const made = await importExport(
    'zulip',
    await createZip({
      ...FILES,
      'realm.json': {
        ...REALM_TABLES,
        zerver_realm: [{ id: 7, name: 'Harbour', icon_source: 'U', logo_source: 'U', night_logo_source: 'U' }],
      },
      'realm_icons/records.json': [
        'icon.png',
        'icon.original',
        'logo.original',
        'logo.png',
        'night_logo.original',
        'night_logo.png',
      ].map((name) => ({ realm_id: 7, path: `7/${name}`, s3_path: `7/${name}` })),
      'realm_icons/7/icon.png': 'no picture',
      'realm_icons/7/icon.original': icon,
      'realm_icons/7/logo.original': 'no picture',
      'realm_icons/7/logo.png': logo,
      'realm_icons/7/night_logo.original': 'no picture',
      'realm_icons/7/night_logo.png': 'no picture either',
      'avatars/records.json': [...sizes(11), ...sizes(12)],
      'avatars/7/11.original': 'no picture',
      'avatars/7/11.png': icon,
      'avatars/7/12.original': 'no picture',
      'avatars/7/12.png': 'no picture either',
    }),
  )
  const olga = await made.user('11')
  const { state } = await olga.register()
  const people = state.realm_users
  const hasPicture = (there: string): boolean =>
    people.some(({ user_id: id, avatar_url: url }) => {
      return id === made.ids.get(`user ${there}`) && url?.startsWith('/user_avatars/') === true
    })
  expect(['11', '12'].map(hasPicture)).toEqual([true, false])
  expect([state['realm_icon_source'], state['realm_logo_source'], state['realm_night_logo_source']]).toEqual([
    'U',
    'U',
    'D',
  ])
  for (const [name, width, height] of [
    ['icon', 200, 200],
    ['logo', 300, 60],
  ] as const) {
    const { bytes } = await fetchAs(olga, new URL(String(state[`realm_${name}_url`])).pathname)
    const shown = await sharp(bytes).metadata()
    expect([shown.width, shown.height]).toEqual([width, height])
  }
  expect(made.told['carried']).toContainEqual({
    what: 'organization pictures',
    count: 2,
    examples: ['icon', 'logo'],
  })
  expect(made.told['left_out']).toContainEqual({
    what: 'pictures that are too large or not valid images',
    count: 2,
    examples: ['avatars/7/12.original', 'realm_icons/7/night_logo.original'],
  })
})

async function pictureOf(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
}
