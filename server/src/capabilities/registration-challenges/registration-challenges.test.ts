import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestSpectator, type Answer, type Body } from '../../testing/user.ts'

const server = useTestServer()

async function openOrganization(difficulty = 'easy'): Promise<TestOrganization & { readonly visitor: TestSpectator }> {
  const organization = await server().organization()
  const { owner } = organization
  await owner.call('PATCH', '/realm', {
    invite_required: false,
    emails_restricted_to_domains: false,
    registration_challenge: difficulty,
  })
  return { ...organization, visitor: new TestSpectator(owner) }
}

async function fetchChallenge(visitor: TestSpectator): Promise<Challenge> {
  const { challenge } = await visitor.call('GET', '/registrations/challenge')
  // Safe: the server created the challenge with the same library.
  return JSON.parse(String(challenge)) as Challenge
}

async function solve(challenge: Challenge): Promise<string> {
  return JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
}

async function register(visitor: TestSpectator, more: Body = {}): Promise<unknown[]> {
  const answer: Answer = await visitor.try('POST', '/registrations', { email: 'ada@example.com', ...more })
  return [answer.status, answer.body['code'] ?? 'OK']
}

const REFUSED = [400, 'CHALLENGE_REQUIRED']

it('requires a solved challenge for self-registration, and accepts each only once', async () => {
  const { visitor } = await openOrganization()
  expect(await register(visitor)).toEqual(REFUSED)
  const proof = await solve(await fetchChallenge(visitor))
  const both = await Promise.all([register(visitor, { proof }), register(visitor, { proof })])
  expect(both.toSorted()).toEqual([[200, 'OK'], REFUSED])
  expect(await register(visitor, { proof })).toEqual(REFUSED)
  expect(await register(visitor, { proof: await solve(await fetchChallenge(visitor)) })).toEqual([200, 'OK'])
})

it('rejects proofs that are unsolved, changed, expired, too easy, or of another organization', async () => {
  const { owner, visitor } = await openOrganization()
  const other = await openOrganization()
  const challenge = await fetchChallenge(visitor)
  const solution = await solveChallenge({ challenge, deriveKey })
  const { parameters, signature } = challenge
  const wrong = { ...solution, counter: (solution?.counter ?? 0) + 1 }
  for (const proof of [
    'nonsense',
    '{}',
    JSON.stringify({ challenge, solution: wrong }),
    JSON.stringify({ challenge: { parameters: { ...parameters, keyPrefix: '0' }, signature }, solution }),
    JSON.stringify({ challenge: { parameters: { ...parameters, expiresAt: 4_000_000_000 }, signature }, solution }),
    await solve(await fetchChallenge(other.visitor)),
  ]) {
    expect([proof, ...(await register(visitor, { proof }))]).toEqual([proof, ...REFUSED])
  }
  const proof = JSON.stringify({ challenge, solution })
  await owner.call('PATCH', '/realm', { registration_challenge: 'normal' })
  expect(await register(visitor, { proof })).toEqual(REFUSED)
  await owner.call('PATCH', '/realm', { registration_challenge: 'off' })
  expect(await visitor.call('GET', '/registrations/challenge')).toMatchObject({ difficulty: 'off', challenge: null })
  expect(await register(visitor)).toEqual([200, 'OK'])
})

it('accepts only a few attempts to solve a challenge', async () => {
  const { visitor } = await openOrganization()
  const challenge = await fetchChallenge(visitor)
  const proof = await solve(challenge)
  const wrong = JSON.stringify({ challenge, solution: { counter: 0, derivedKey: '00' } })
  for (let attempt = 0; attempt < 3; attempt += 1) expect(await register(visitor, { proof: wrong })).toEqual(REFUSED)
  expect(await register(visitor, { proof })).toEqual(REFUSED)
  expect(await register(visitor, { proof: await solve(await fetchChallenge(visitor)) })).toEqual([200, 'OK'])
})

it('requires no challenge of invited people, and refuses closed registration as before', async () => {
  const { owner, visitor } = await openOrganization('hard')
  const { invite_link: link } = await owner.call('POST', '/invites/multiuse', { stream_ids: [] })
  expect(await register(visitor, { token: link.split('#')[1] })).toEqual([200, 'OK'])
  await owner.call('PATCH', '/realm', { invite_required: true })
  const { body } = await visitor.try('POST', '/registrations', { email: 'bob@example.com' })
  expect(body['msg']).toBe('Only people who are invited can join this organization.')
})
