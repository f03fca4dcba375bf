import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../server/src/capabilities/second-factors/testing/signing-in.ts'
import { PIXEL, upload } from '../../server/src/testing/files.ts'
import { signIn } from '../../server/src/testing/browser.ts'
import { addressOf, hasBrowser, openAs, openWindow } from './browser.ts'
import { useTeam } from './shared.ts'
import { PASSWORD, say, createTeamOn } from './team.ts'

const { server, browser, team, openStranger } = useTeam({}, async (on) => createTeamOn(on, { password: PASSWORD }))

async function submitSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

describe.skipIf(!hasBrowser)('sign-in', () => {
  it('signs in with email and password, and reports a wrong password', async () => {
    const { owner } = await team()
    const page = await openStranger()
    await page.goto(addressOf(owner, '/inbox'))
    await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
    await page.getByLabel('Email address').fill('owner@example.com')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /password/i })
      .waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/inbox'))
  })

  it('leaves no sign-in page in the address bar or the history', async () => {
    const { owner } = await team()
    const page = await openStranger()
    await page.goto(addressOf(owner, '/static/icon.svg'))
    await page.goto(addressOf(owner, '/login'))
    await submitSignIn(page, owner.email)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/inbox'))
    await page.goBack()
    expect(page.url()).toBe(addressOf(owner, '/static/icon.svg'))
    for (const path of ['/login', '/']) {
      await page.goto(addressOf(owner, path))
      await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
      expect(page.url()).toBe(addressOf(owner, '/inbox'))
    }
  })

  it('opens a moved message after both sign-in steps, and skips these steps on Back', async () => {
    const { owner, friend, channelId } = await createTeamOn(server(), { password: PASSWORD })
    const id = await say(friend, channelId, 'beans', 'Grow them')
    await friend.call('PATCH', `/messages/${id}`, { topic: 'peas' })
    const { secret } = await owner.call('POST', '/second_factor', { password: PASSWORD })
    const { recovery_codes: codes } = await owner.call('POST', '/second_factor/confirm', { code: codeOf(secret) })
    const page = await openStranger()
    for (const path of [
      `/c/${channelId}/t/beans?near=${id}`,
      `/#narrow/channel/${channelId}-garden/topic/beans/near/${id}`,
    ]) {
      await page.context().clearCookies()
      await page.goto(addressOf(owner, '/static/icon.svg'))
      await page.goto(addressOf(owner, path))
      await submitSignIn(page, owner.email)
      await page.getByRole('heading', { name: 'One more step', exact: true }).waitFor()
      // Starting the sign-in over keeps the requested address.
      await page.getByRole('link', { name: 'Sign in again', exact: true }).click()
      await submitSignIn(page, owner.email)
      await page.getByLabel('Code', { exact: true }).fill(String(codes.pop()))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('Grow them').first().waitFor()
      await expect.poll(() => page.url()).toContain(`/t/peas?near=${id}`)
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
      await page.goBack()
      expect(page.url()).toBe(addressOf(owner, '/static/icon.svg'))
    }
  })

  it('opens a linked file after signing in, and shows a not-found page at unknown addresses', async () => {
    const { owner } = await team()
    const url = await upload(owner, 'beans.png', PIXEL)
    const page = await openStranger({ locale: 'de-DE' })
    expect((await page.goto(addressOf(owner, url)))?.status()).toBe(401)
    await page.getByLabel('E-Mail-Adresse').fill(owner.email)
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page
      .locator('img')
      .and(page.locator(`[src$="${url}"]`))
      .waitFor()
    for (const path of ['/inboxes', url.replace('beans', 'peas'), '/settings/../nowhere/']) {
      expect((await page.goto(addressOf(owner, path)))?.status()).toBe(404)
      await page.getByRole('heading', { name: /^(Page not found|Seite nicht gefunden)$/ }).waitFor()
      await page.getByRole('navigation', { name: /^(Conversations|Unterhaltungen)$/ }).waitFor()
    }
  })

  it("explains refused sign-ins in the browser's language", async () => {
    const { owner } = await createTeamOn(server(), { password: PASSWORD })
    const gone = { email: 'gerda@example.com', password: PASSWORD, full_name: 'Gerda Gone' }
    const { user_id: id } = await owner.call('POST', '/users', gone)
    await owner.call('DELETE', `/users/${String(id)}`, { deactivation_notification_comment: 'Farewell' })
    const page = await (await openWindow(browser(), { locale: 'de-DE' })).newPage()
    await page.goto(addressOf(owner, '/inbox'))
    const refusal = (text: string) => page.getByRole('alert').filter({ hasText: text })
    const enter = async (password: string): Promise<void> => {
      await page.getByLabel('E-Mail-Adresse').fill(gone.email)
      await page.getByLabel('Passwort', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
    }
    await enter('wrong')
    await refusal('E-Mail-Adresse oder Passwort ist falsch.').waitFor()
    await enter(PASSWORD)
    await refusal('Dein Konto ist deaktiviert. Nachricht der Administration: Farewell').waitFor()
    await owner.call('POST', '/realm/deactivate')
    await enter(PASSWORD)
    await refusal('Diese Organisation ist deaktiviert.').waitFor()
    await page.goto(addressOf(owner, '/join'))
    await page.getByText('Diese Organisation ist deaktiviert.').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
  })

  it('stores no key that scripts can read, and signs out', async () => {
    const { friend } = await team()
    const page = await openAs(browser(), friend)
    const kept = await page.evaluate(() => [
      document.cookie,
      Object.keys(localStorage).toSorted(),
      sessionStorage.length,
    ])
    expect(kept).toEqual(['', ['parley-looks', 'parley-state'], 0])
    // The client stores only the appearance and the build that has stored state.
    expect(await page.evaluate(() => localStorage.getItem('parley-state'))).toMatch(/^[0-9a-f]{12}$/)
    const looks = await page.evaluate(() => localStorage.getItem('parley-looks'))
    expect(JSON.parse(String(looks))).toEqual({
      fontScripts: [],
      previews: 'shown',
      theme: 'system',
      contrast: 'system',
      density: 'comfortable',
      motion: 'system',
      size: 16,
      leading: 1.4,
      saturation: 1,
      language: 'en',
      sidebar: 'shown',
      sidebarWidth: 100,
    })
    await page.getByRole('button', { name: /Fred Friend/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    await page.goto(addressOf(friend, '/inbox'))
    await page.getByLabel('Password').waitFor()
  })

  it('asks to sign in after a remote sign-out, and hides the previous account', async () => {
    const { owner, friend, channelId } = await createTeamOn(server(), { password: PASSWORD })
    await say(friend, channelId, 'beans', 'For both')
    await owner.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'For me alone' })
    const page = await openAs(browser(), friend)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    const elsewhere = await signIn(friend)
    const { sessions } = await elsewhere.call('GET', '/sessions')
    for (const { id, is_current } of sessions) {
      if (!is_current) await elsewhere.call('DELETE', `/sessions/${id}`)
    }
    await page.getByLabel('Email address').fill('owner@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
    await page.getByText('Fred Friend').first().waitFor()
    expect(await page.getByText('Fred Friend').count()).toBe(1)
    await page.keyboard.press('?')
    await page.getByRole('dialog').first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
  })

  it('rejects an invalid sign-in link, and asks for the password', async () => {
    const { owner } = await team()
    const page = await openStranger()
    await page.goto(addressOf(owner, `/login#link=${'x'.repeat(43)}`))
    await page.getByRole('alert').filter({ hasText: 'no longer valid' }).waitFor()
    expect(page.url()).toBe(addressOf(owner))
  })
})
