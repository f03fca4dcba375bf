import { describe, expect, it } from 'vitest'
import { CLIENT_PATHS } from '../../server/src/platform/pages/web-client.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openWindow, useBrowser } from './browser.ts'
import { say, createTeamOn, type Team } from './team.ts'

const server = useTestServer({ ...LOCAL_DOMAIN, PARLEY_WEB_PUBLIC_CHANNELS: '1' })
const browser = useBrowser()

const PATHS_WITH_TOKEN = CLIENT_PATHS.filter((path) =>
  /^\/(?:join|setup|password|email|openid|unsubscribe|second-factor)/.test(path),
)

async function refusedRequestsAt(
  team: Team,
  paths: readonly string[],
  heading: RegExp,
): Promise<ReadonlyMap<string, string[]>> {
  const refused = new Map<string, string[]>()
  const page = await (await openWindow(browser())).newPage()
  let answers: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400) answers.push(`${response.request().method()} ${pathname} ${response.status()}`)
  })
  for (const path of paths) {
    answers = []
    await page.goto('about:blank')
    await page.goto(addressOf(team.owner, path))
    await page.getByRole('heading', { name: heading }).first().waitFor()
    await page.waitForLoadState('networkidle')
    refused.set(path, answers)
  }
  return refused
}

function samplePaths({ channelId, friend }: Team): string[] {
  const samples = ['/settings/looks', `/c/${channelId}-garden`, `/c/${channelId}/t/peas?near=1`, `/dm/${friend.id}`]
  const plain = CLIENT_PATHS.filter((path) => !PATHS_WITH_TOKEN.includes(path) && !path.endsWith('*'))
  return [...plain, ...samples, '/search?q=peas', '/#narrow/is/starred']
}

describe.skipIf(!hasBrowser)('browsers without an account', () => {
  it('asks people to sign in at every URL after a single refused request', async () => {
    const team = await createTeamOn(server())
    const addresses = samplePaths(team)
    const refused = await refusedRequestsAt(team, addresses, /^Sign in/)
    // The client learns from the response to `register` whether a person is signed in.
    const asked = ['POST /api/v1/register 401']
    expect(Object.fromEntries(refused)).toEqual(Object.fromEntries(addresses.map((address) => [address, asked])))
  })

  it('asks people to sign in without any refused request if there are web-public channels', async () => {
    const team = await createTeamOn(server())
    const { owner, channelId } = team
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    await owner.call('PATCH', `/streams/${channelId}`, { is_web_public: true })
    await say(owner, channelId, 'peas', 'For members')
    const others = samplePaths(team).filter((path) => !/^\/(?:$|channels|search|c\/)/.test(path))
    const refused = await refusedRequestsAt(team, others, /^Sign in/)
    expect(Object.fromEntries(refused)).toEqual(Object.fromEntries(others.map((address) => [address, []])))
  })

  it('shows an explanation if the token of a link is missing', async () => {
    const team = await createTeamOn(server())
    const refused = await refusedRequestsAt(team, PATHS_WITH_TOKEN, /./)
    // These two pages continue a sign-in, which the test has not started.
    const begun = {
      '/openid': ['POST /api/v1/login/openid/begin 401'],
      '/second-factor/setup': ['POST /api/v1/login/second_factor/setup 401'],
    }
    const others = PATHS_WITH_TOKEN.filter((path) => !Object.hasOwn(begun, path))
    expect(Object.fromEntries(refused)).toEqual({ ...Object.fromEntries(others.map((path) => [path, []])), ...begun })
  })
})
