import { describe, expect, it } from 'vitest'
import { API_NAMES } from '../../platform/http/names.ts'
import { readKnownNames } from '../../platform/markdown/emoji/names.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'

interface Named {
  readonly emoji_name: string
  readonly emoji_code: string
}

/** The more a message has, the longer each of them takes. */
const EMOJI_PER_MESSAGE = 50

const known = await readKnownNames()

/** Every name that existing clients know, in lists in which no emoji comes twice. */
const lists: Named[][] = [0, 1, 2, 3, 4, 5, 6].flatMap((index) =>
  chunks(
    [...known].flatMap(([emoji_code, names]) => {
      const emoji_name = names[index]
      return emoji_name === undefined ? [] : [{ emoji_name, emoji_code }]
    }),
    EMOJI_PER_MESSAGE,
  ),
)

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** As clients write it that ask for the coloured form. */
function withSelector(code: string): string {
  return code.replace(/^[0-9a-f]+/, '$&-fe0f')
}

/** What of these is not taken as a reaction with this code under this name. */
async function refusedOf(user: TestUser, named: readonly Named[], asGiven: (one: Named) => Body): Promise<unknown[]> {
  const id = await user.sendTo([user.id], 'hello')
  const answers = await Promise.all(
    named.map(async (one) => ({ one, ...(await user.try('POST', `/messages/${id}/reactions`, asGiven(one))) })),
  )
  const refused = answers.filter(({ status }) => status !== 200).map(({ one, body }) => ({ ...one, ...body }))
  const { message } = await user.call('GET', `/messages/${id}`)
  // As the contract declares them.
  const shown = (message as { reactions: (Named & { reaction_type: string })[] }).reactions
  const told = new Map(shown.map(({ emoji_code, emoji_name }) => [emoji_code, emoji_name]))
  const other = named.filter(({ emoji_code, emoji_name }) => told.get(emoji_code) !== emoji_name)
  return [...refused, ...other]
}

describe.each(API_NAMES)('a server that tells the %s names', (apiNames) => {
  const server = useTestServer({ PARLEY_API_NAMES: apiNames })
  // What the neutral words call so is the server's own emoji, which has no other name there.
  const isTaken = ({ emoji_name }: Named): boolean => apiNames === 'neutral' && emoji_name === 'service'

  it('shows in messages every emoji by each of the names that existing clients know', async () => {
    const { owner } = await server().organization()
    for (const named of lists) {
      const content = named.map(({ emoji_name }) => `:${emoji_name}:`).join(' ')
      const { rendered } = await owner.call('POST', '/messages/render', { content })
      const shown = [...String(rendered).matchAll(/class="emoji emoji-([0-9a-f-]+)"[^>]*>:([^:]+):</g)]
      expect(shown.map(([, emoji_code, emoji_name]) => ({ emoji_code, emoji_name }))).toEqual(named)
    }
  })

  // Of what can be given in two ways, each of the two servers is given one half in one way and one in the other.
  const parity = API_NAMES.indexOf(apiNames)

  it('takes every emoji as a reaction by each of the names that existing clients know', async () => {
    const { owner } = await server().organization()
    for (const list of lists.filter((_list, index) => index % 2 === parity)) {
      const named = list.filter((one) => !isTaken(one))
      expect(await refusedOf(owner, named, ({ emoji_name }) => ({ emoji_name }))).toEqual([])
    }
  })

  it('takes every emoji as a reaction by its code and any of its names, with a variation selector or without', async () => {
    const { owner } = await server().organization()
    const coloured = (one: Named): Body => ({
      ...one,
      emoji_code: withSelector(one.emoji_code),
      reaction_type: 'unicode_emoji',
    })
    for (const [index, list] of lists.entries()) {
      const asGiven = index % 2 === parity ? (one: Named): Body => ({ ...one }) : coloured
      expect(await refusedOf(owner, list, asGiven)).toEqual([])
    }
  })
})

describe('a server for existing clients', () => {
  const server = useTestServer({ PARLEY_API_NAMES: 'zulip', PARLEY_ROOT_DOMAIN: '' })

  it('tells the canonical name of an emoji that was typed itself, or under a name that they do not know', async () => {
    const { owner } = await server().organization('Test', { stringId: '' })
    const { rendered } = await owner.call('POST', '/messages/render', { content: '👍 🎉 :thumbs_up: :party_popper:' })
    const shown = [...String(rendered).matchAll(/>:([^:]+):</g)].map(([, name]) => name)
    expect(shown).toEqual(['+1', 'tada', 'thumbs_up', 'tada'])
    const id = await owner.sendTo([owner.id], 'hello')
    for (const [given, told] of [
      [{ emoji_name: 'party_popper' }, 'tada'],
      [{ emoji_name: 'dog', emoji_code: '1f436' }, 'puppy'],
      [{ emoji_name: 'like' }, 'like'],
      // Of emoji that came later they know no name.
      [{ emoji_name: 'harp' }, 'harp'],
    ] as const) {
      await owner.call('POST', `/messages/${id}/reactions`, given)
      const { message } = await owner.call('GET', `/messages/${id}`)
      expect(message).toMatchObject({ reactions: [{ emoji_name: told }] })
      await owner.call('DELETE', `/messages/${id}/reactions`, given)
    }
    await owner.call('POST', '/users/me/status', { emoji_name: 'party_popper' })
    expect(await owner.call('GET', `/users/${owner.id}/status`)).toMatchObject({ status: { emoji_name: 'tada' } })
    const { code_to_names } = (await (await fetch(`${owner.url}/static/emoji.json`)).json()) as {
      code_to_names: Record<string, string[]>
    }
    for (const [code, names] of known) expect(code_to_names[code]?.slice(0, names.length)).toEqual(names)
  })
})
