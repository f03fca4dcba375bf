import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say, withNewcomer } from './team.ts'

const { team, openPage } = useTeam()

const question = (page: Page) => page.getByRole('dialog', { name: 'Sign out' })

async function signOut(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /Nora New/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

describe.skipIf(!hasBrowser)('signing out', () => {
  it('asks before sign-out if edits, messages, or uploads exist only in this browser, and names them', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    await say(owner, channelId, 'beans', 'A bean')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('A bean').waitFor()
    await list(page).getByRole('article').last().focus()
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Edit message' }).fill('A tall bean')
    await page.route('**/api/v1/messages', async (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await composer(page).fill('Not sent')
    await composer(page).press('Control+Enter')
    await list(page).getByText('Not sent').waitFor()
    await page.route('**/api/v1/user_uploads', async () => undefined)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('form', { name: 'New message' }).getByRole('button', { name: 'Attach file' }).click()
    await (await chooser).setFiles([{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') }])
    await page.getByRole('progressbar', { name: 'plan.txt' }).waitFor()
    await signOut(page)
    const things = 'the edit “A tall bean”, the unsent message “Not sent”, and the upload of plan.txt'
    await question(page).getByText(`You’ll lose the following, saved only in this browser: ${things}.`).waitFor()
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('textbox', { name: 'Edit message' }).inputValue()).toBe('A tall bean')
    await page.getByRole('progressbar', { name: 'plan.txt' }).waitFor()
    await signOut(page)
    await question(page).getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  })

  it('signs out without asking for confirmation if everything is saved', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('A draft')
    await signOut(page)
    await page.getByRole('heading', { name: /Sign in/ }).waitFor()
    expect(await owner.call('GET', '/drafts')).toMatchObject({ drafts: [{ content: 'A draft' }] })
  })
})
