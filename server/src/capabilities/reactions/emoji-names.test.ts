import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { API_NAMES } from '../../platform/http/names.ts'
import { loadEmojiNames, readKnownNames } from '../../platform/markdown/emoji/names.ts'
import { html } from '../../platform/markdown/testing/context.ts'
import { useTestServer } from '../../testing/server.ts'
import { emojiToAdd } from './rules.ts'

interface EmojiName {
  readonly emoji_name: string
  readonly emoji_code: string
}

/** Well below the renderer's limit of about 350 emoji per message. */
const EMOJI_PER_MESSAGE = 50
const EMOJI_DATA = z.looseObject({ code_to_names: z.record(z.string(), z.array(z.string())) })

const knownNames = await readKnownNames()

/** All emoji names that existing clients know, in lists that contain each emoji at most once. */
const nameLists: EmojiName[][] = [0, 1, 2, 3, 4, 5, 6].map((index) =>
  [...knownNames].flatMap(([emoji_code, names]) => {
    const emoji_name = names[index]
    return emoji_name === undefined ? [] : [{ emoji_name, emoji_code }]
  }),
)

const sampleNames = nameLists
  .flatMap((list, index) => list.slice(10 * index, 10 * index + 5))
  .filter(({ emoji_code }, index, all) => all.findIndex((other) => other.emoji_code === emoji_code) === index)

/** Adds the variation selector with which some clients request the colored form. */
function withVariationSelector(code: string): string {
  return code.replace(/^[0-9a-f]+/, '$&-fe0f')
}

function emojiShownIn(rendered: string): EmojiName[] {
  const shown = rendered.matchAll(/class="emoji emoji-([0-9a-f-]+)"[^>]*>:([^:]+):</g)
  return [...shown].map(([, emoji_code = '', emoji_name = '']) => ({ emoji_code, emoji_name }))
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

const contentWithEmoji = (named: readonly EmojiName[]): string =>
  named.map(({ emoji_name }) => `:${emoji_name}:`).join(' ')

describe.each(API_NAMES)('a server with the %s emoji names', (apiNames) => {
  const server = useTestServer({ PARLEY_API_NAMES: apiNames })
  // With neutral names, `service` is the server's own emoji, which has no other name in the contract.
  const isTaken = ({ emoji_name }: EmojiName): boolean => apiNames === 'neutral' && emoji_name === 'service'

  it('renders every emoji by each name that existing clients use', async () => {
    for (const named of nameLists.flatMap((list) => chunks(list, EMOJI_PER_MESSAGE))) {
      expect(emojiShownIn(await html(contentWithEmoji(named), { apiNames, realmEmoji: () => undefined }))).toEqual(
        named,
      )
    }
    const { owner } = await server().organization()
    const { rendered } = await owner.call('POST', '/messages/render', { content: contentWithEmoji(sampleNames) })
    expect(emojiShownIn(rendered)).toEqual(sampleNames)
  })

  it('resolves reactions by code and by each name that existing clients use', async () => {
    const { id } = await server().organization()
    const names = await loadEmojiNames(apiNames)
    await server().parley.logs.use(id, ({ organization }) => {
      for (const one of nameLists.flat()) {
        const colored = { ...one, emoji_code: withVariationSelector(one.emoji_code), reaction_type: 'unicode_emoji' }
        for (const given of [...(isTaken(one) ? [] : [{ emoji_name: one.emoji_name }]), one, colored]) {
          expect(emojiToAdd({ names, organization }, given, [])).toMatchObject(one)
        }
      }
    })
  })

  it('adds reactions by name or code, with or without a variation selector', async () => {
    const { owner } = await server().organization()
    const given = sampleNames.filter((one) => !isTaken(one))
    for (const asGiven of [
      ({ emoji_name }: EmojiName) => ({ emoji_name }),
      (one: EmojiName) => ({ ...one }),
      (one: EmojiName) => ({
        ...one,
        emoji_code: withVariationSelector(one.emoji_code),
        reaction_type: 'unicode_emoji',
      }),
    ]) {
      const message_id = await owner.sendTo([owner.id], 'hello')
      for (const one of given) await owner.call('POST', `/messages/${message_id}/reactions`, asGiven(one))
      const { message } = await owner.call('GET', `/messages/${message_id}`)
      expect(message.reactions.map(({ emoji_name, emoji_code }) => ({ emoji_name, emoji_code }))).toEqual(given)
    }
  })
})

describe('emoji names for existing clients', () => {
  const server = useTestServer({ PARLEY_API_NAMES: 'zulip', PARLEY_ROOT_DOMAIN: '' })

  it('returns an emoji under a name that existing clients support, whichever name was given', async () => {
    const { owner } = await server().organization('Test', { stringId: '' })
    const { rendered } = await owner.call('POST', '/messages/render', { content: '👍 🎉 :thumbs_up: :party_popper:' })
    const shown = [...rendered.matchAll(/>:([^:]+):</g)].map(([, name]) => name)
    expect(shown).toEqual(['+1', 'tada', 'thumbs_up', 'tada'])
    const id = await owner.sendTo([owner.id], 'hello')
    for (const [given, told] of [
      [{ emoji_name: 'party_popper' }, 'tada'],
      [{ emoji_name: 'dog', emoji_code: '1f436' }, 'puppy'],
      [{ emoji_name: 'like' }, 'like'],
      // Existing clients have no name for this newer emoji.
      [{ emoji_name: 'harp' }, 'harp'],
    ] as const) {
      await owner.call('POST', `/messages/${id}/reactions`, given)
      const { message } = await owner.call('GET', `/messages/${id}`)
      expect(message).toMatchObject({ reactions: [{ emoji_name: told }] })
      await owner.call('DELETE', `/messages/${id}/reactions`, given)
    }
    await owner.call('POST', '/users/me/status', { emoji_name: 'party_popper' })
    expect(await owner.call('GET', `/users/${owner.id}/status`)).toMatchObject({ status: { emoji_name: 'tada' } })
    const answer = await fetch(`${owner.url}/static/emoji.json`)
    const { code_to_names } = EMOJI_DATA.parse(await answer.json())
    for (const [code, names] of knownNames) expect(code_to_names[code]?.slice(0, names.length)).toEqual(names)
  })
})
