import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { fetchUnauthenticated } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import { TestSpectator, type TestUser } from '../../testing/user.ts'
import { PUBLIC_NAME_FORMS } from '../organizations/contract/settings.ts'
import { givenName } from '../users/queries/public-names.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const NAMES = ['Zelda Quxworth', 'Xanthe Vyrvik', 'Quentin Jabberwock']

const choice = fc.record({
  ofOrganization: fc.constantFrom(...PUBLIC_NAME_FORMS),
  ofPeople: fc.array(fc.constantFrom(...PUBLIC_NAME_FORMS), { minLength: 3, maxLength: 3 }),
})

/** Returns everything that a spectator can get about the channel, as one text. */
async function everythingPublic(spectator: TestSpectator, channelId: number): Promise<string> {
  const narrow = [['channels', 'web-public']]
  const around = { anchor: 'newest', num_before: 100, num_after: 0 }
  const { messages } = await spectator.call('GET', '/messages', { narrow, ...around })
  const answers: unknown[] = [
    messages,
    await spectator.call('POST', '/register'),
    await spectator.call('GET', '/messages', { narrow, ...around, apply_markdown: false }),
    await spectator.call('GET', '/messages', { narrow: [...narrow, ['search', 'greetings']], ...around }),
    await spectator.call('GET', `/users/me/${channelId}/topics`),
  ]
  for (const { id } of messages) answers.push(await spectator.call('GET', `/messages/${id}`))
  const paths = ['', `/${channelId}`, `/${channelId}/topic/hall`, `/${channelId}/feed`, `/${channelId}/topic/hall/feed`]
  for (const path of [...paths, `/${channelId}/sitemap`])
    answers.push((await fetchUnauthenticated(spectator, `/public${path}`)).bytes.toString('utf8'))
  return JSON.stringify(answers)
}

async function countFound(spectator: TestSpectator, word: string, negated = false): Promise<number> {
  const narrow = [
    { operator: 'channels', operand: 'web-public' },
    { operator: 'channel', operand: 'Hall' },
    { operator: 'search', operand: word, negated },
  ]
  const { messages } = await spectator.call('GET', '/messages', {
    narrow,
    anchor: 'newest',
    num_before: 9,
    num_after: 0,
  })
  return messages.length
}

async function writeMentions(owner: TestUser, people: readonly TestUser[]): Promise<void> {
  for (const [index, person] of people.entries()) {
    const other = `@**${NAMES[(index + 1) % 3]}**`
    const id = await person.send('Hall', 'hall', `Greetings ${other}, and @**${NAMES[index]}|${person.id}**`)
    await owner.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  }
}

it('shows spectators no name that the organization or the person hides', { timeout: 120_000 }, async () => {
  const { owner, user } = await server().organization()
  const people: TestUser[] = []
  for (const name of NAMES) people.push(await user(name))
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const { id: channelId } = await owner.call('POST', '/channels/create', {
    name: 'Hall',
    description: `Ask @**${NAMES[0]}**`,
    subscribers: [owner.id, ...people.map(({ id }) => id)],
    is_web_public: true,
  })
  await writeMentions(owner, people)
  const spectator = new TestSpectator(owner)
  await fc.assert(
    fc.asyncProperty(choice, async ({ ofOrganization, ofPeople }) => {
      await owner.call('PATCH', '/realm', { public_names: ofOrganization })
      for (const [index, person] of people.entries())
        await person.call('PATCH', '/settings', { public_name: ofPeople[index] })
      const everything = await everythingPublic(spectator, channelId)
      for (const [index, person] of people.entries()) {
        const form = PUBLIC_NAME_FORMS.findLast((one) => one === ofOrganization || one === ofPeople[index])
        const { organization, own, shown_name } = await person.call('GET', '/public_names')
        expect([organization, own]).toEqual([ofOrganization, ofPeople[index]])
        const [given = '', family = ''] = (NAMES[index] ?? '').split(' ')
        const shows = { given: form !== 'pseudonym', family: form === 'full' }
        expect(everything).toContain(shown_name)
        expect([everything.includes(given), await countFound(spectator, given)]).toEqual(
          shows.given ? [true, 2] : [false, 0],
        )
        expect([everything.includes(family), await countFound(spectator, family)]).toEqual(
          shows.family ? [true, 2] : [false, 0],
        )
        expect(await countFound(spectator, family, true)).toBe(shows.family ? 1 : 3)
      }
    }),
    { numRuns: effort(10), endOnFailure: true },
  )
})

it.each([
  ['Anna Smith', 'Anna'],
  ['Smith, Anna', 'Anna'],
  ['Dr. Anna M. Smith', 'Anna'],
  ['王 小明', '小明'],
  ['王小明', undefined],
  ['anna@example.org', undefined],
])('takes the given name of %s for %s', (fullName, given) => {
  expect(givenName(fullName)).toBe(given)
})
