import { expect, it } from 'vitest'
import { loadEmojiNames, readShortNames } from '../platform/markdown/emoji/names.ts'
import { loadEmojiFinder } from './emoji.ts'

const CUSTOM_EMOJI = new Map([
  ['boat', { id: 7, name: 'boat' }],
  ['x', { id: 8, name: 'x' }],
  ['dance_dark_skin_tone', { id: 9, name: 'dance_dark_skin_tone' }],
])

it('finds the code of every Slack and Mattermost emoji by its short name', async () => {
  const find = await loadEmojiFinder(new Map())
  const { codeByName } = await loadEmojiNames()
  const names = await readShortNames()
  expect(new Set(names.map(([name]) => name)).size).toBe(1_972)
  const wrong = names.filter(([name, code]) => {
    const found = find(name)
    return found?.type !== 'unicode_emoji' || found.code !== code || codeByName.get(found.name) !== code
  })
  // Skin tones alone are not emoji here.
  expect(wrong.map(([name]) => name)).toEqual([2, 3, 4, 5, 6].map((tone) => `skin-tone-${tone}`))
})

it.each([
  ['x', '274c'],
  ['construction', '1f6a7'],
  ['flag-no', '1f1f3-1f1f4'],
  ['flag-de', '1f1e9-1f1ea'],
  ['white_check_mark', '2705'],
  ['heavy_check_mark', '2714'],
  ['+1::skin-tone-6', '1f44d'],
  ['handshake::skin-tone-2-3', '1f91d'],
  ['wave_medium_light_skin_tone', '1f44b'],
  ['handshake_light_skin_tone_dark_skin_tone', '1f91d'],
  ['simple_smile', '1f642'],
  ['metal', '1f918'],
  ['hugs', '1f917'],
  ['policewoman', '1f46e-200d-2640'],
  ['Tada', '1f389'],
  ['man-shrugging', '1f937-200d-2642'],
  ['party_popper', '1f389'],
])('maps the emoji name %s to the code %s', async (name, code) => {
  expect((await loadEmojiFinder(new Map()))(name)?.code).toBe(code)
})

it('prefers custom emoji to standard emoji, and finds no emoji for unknown names', async () => {
  const find = await loadEmojiFinder(CUSTOM_EMOJI)
  expect(['boat', 'X', 'boat::skin-tone-2', 'dance_dark_skin_tone'].map((name) => find(name))).toEqual([
    { type: 'realm_emoji', code: '7', name: 'boat' },
    { type: 'realm_emoji', code: '8', name: 'x' },
    { type: 'realm_emoji', code: '7', name: 'boat' },
    { type: 'realm_emoji', code: '9', name: 'dance_dark_skin_tone' },
  ])
  expect(['nothing-such', 'constructor', '__proto__', '', 'toString'].map((name) => find(name))).toEqual(
    Array.from({ length: 5 }, () => undefined),
  )
})
