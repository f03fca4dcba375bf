import type { Page, Route } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useOpenidProvider } from '../../server/src/testing/openid-provider.ts'
import { callApi, type TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'

const provider = await useOpenidProvider()
const { team, openStranger } = useTeam({ ...provider.environment })
let owner: TestUser
let personNumber = 0
const SIGN_IN_REQUEST = '**/api/v1/login/openid'

beforeEach(async () => {
  ;({ owner } = await team())
  await owner.call('PATCH', '/realm', { invite_required: true })
  provider.redirectAddresses.add(addressOf(owner, '/openid'))
  personNumber += 1
  provider.person = { ...newIdentity(), email_verified: true }
})

function newIdentity() {
  return { subject: `nora-${personNumber}`, email: `nora-${personNumber}@example.org`, name: 'Nora New' }
}

async function expectSignedIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Nora New/ }).waitFor()
  expect(page.url()).toBe(addressOf(owner, '/inbox'))
}

describe.skipIf(!hasBrowser)('sign-in with an identity provider', () => {
  it('signs in through the identity provider', async () => {
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await openStranger()
    await page.goto(addressOf(owner, '/login'))
    await page.getByRole('link', { name: 'Sign in with Acme Login', exact: true }).click()
    await expectSignedIn(page)
  })

  it('returns to the requested topic after signing in, not to the sign-in page', async () => {
    const { channelId } = await team()
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await openStranger()
    await page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await page.getByRole('link', { name: 'Sign in with Acme Login', exact: true }).click()
    const heading = page.getByRole('main').getByRole('heading', { name: /beans/ })
    await heading.waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/c\/\d+.*\/t\/beans$/)
    await page.goBack()
    await heading.waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
  })

  it('keeps the invitation when a person joins through the identity provider', async () => {
    const { invite_link: link } = await owner.call('POST', '/invites/multiuse', {})
    const page = await openStranger()
    await page.goto(link)
    await page.getByRole('link', { name: 'Join with Acme Login', exact: true }).click()
    await expectSignedIn(page)
  })

  it("keeps the join page's language when a person joins through the identity provider", async () => {
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await openStranger({ locale: 'de-DE' })
    await page.goto(addressOf(owner, '/login'))
    await page.getByRole('link', { name: 'Mit Acme Login anmelden', exact: true }).click()
    await expectSignedIn(page)
    await page.getByRole('main').getByRole('heading', { name: 'Eingang' }).waitFor()
  })

  it('shows why a sign-in was refused, clears the URL, and retries', async () => {
    const page = await openStranger()
    await page.goto(addressOf(owner, '/openid'))
    await page.getByRole('alert').filter({ hasText: 'Only people who are invited can join' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/openid'))
    expect(await accessibilityFaults(page)).toEqual([])
    await owner.call('PATCH', '/realm', { invite_required: false })
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await expectSignedIn(page)
  })

  it('keeps the invitation when a sign-in is retried', async () => {
    const { invite_link: link } = await owner.call('POST', '/invites/multiuse', {})
    provider.person = { ...newIdentity(), email_verified: false }
    const page = await openStranger()
    await page.goto(link)
    await page.getByRole('link', { name: 'Join with Acme Login', exact: true }).click()
    const refusal = page.getByRole('alert').filter({ hasText: 'does not confirm your email address' })
    await refusal.waitFor()
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.waitForURL(addressOf(owner, '/openid'))
    await refusal.waitFor()
    provider.person = { ...newIdentity(), email_verified: true }
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await expectSignedIn(page)
  })

  it('shows that the server is unreachable, and retries the sign-in by itself', async () => {
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await openStranger()
    await page.goto(addressOf(owner, '/login'))
    let isAway = true
    await page.route(SIGN_IN_REQUEST, async (route) => (isAway ? route.abort('connectionrefused') : route.continue()))
    await page.getByRole('link', { name: 'Sign in with Acme Login', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Can’t reach Parley.' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/openid'))
    expect(await accessibilityFaults(page)).toEqual([])
    isAway = false
    await expectSignedIn(page)
  })

  it("does not reuse a sign-in code if the server's answer was lost", async () => {
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await openStranger()
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/api/v1/login/openid')) statuses.push(response.status())
    })
    await page.goto(addressOf(owner, '/login'))
    const lose = async (route: Route): Promise<void> => {
      const said = new URLSearchParams(route.request().postData() ?? '')
      const { cookie = '', origin = '' } = await route.request().allHeaders()
      const headers = { cookie, origin, 'sec-fetch-site': 'same-origin' }
      const answer = await callApi(owner.url, owner.host, 'POST', '/login/openid', Object.fromEntries(said), {
        headers,
      })
      statuses.push(answer.status)
      await route.abort('connectionreset')
    }
    await page.route(SIGN_IN_REQUEST, lose, { times: 1 })
    await page.getByRole('link', { name: 'Sign in with Acme Login', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'The sign-in expired or was started in another window.' }).waitFor()
    expect(statuses).toEqual([200, 401])
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await expectSignedIn(page)
  })

  it("rejects an identity provider's answer that was meant for another browser", async () => {
    const page = await openStranger()
    const state = 'x'.repeat(43)
    await page.goto(addressOf(owner, `/openid?code=${state}&state=${state}`))
    await page.getByRole('alert').filter({ hasText: 'started in another window' }).waitFor()
    await page.getByRole('link', { name: 'I already have an account', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/login'))
  })
})
