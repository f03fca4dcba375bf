import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useMailServer } from '../../server/src/testing/mail-server.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { isTooTall, isTooWide } from './views.ts'

const mails = await useMailServer()
const { team, visit } = useTeam({ PARLEY_SMTP_URL: mails.url })
const withoutEmail = useTeam()

const inviteDialog = (page: Page) => page.getByRole('dialog', { name: 'Invite people' })

describe.skipIf(!hasBrowser)('inviting', () => {
  it('opens the invitation dialog from the sidebar, the people panel, and the palette', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox', { viewport: { width: 1440, height: 900 } })
    const button = (at: Locator) => at.getByRole('button', { name: 'Invite people' })
    const open = async (opener: Locator): Promise<void> => {
      await opener.click()
      await inviteDialog(page).getByLabel('Email addresses').waitFor()
      expect(await inviteDialog(page).getByRole('radio', { name: 'Email' }).isChecked()).toBe(true)
      await page.keyboard.press('Escape')
      await inviteDialog(page).waitFor({ state: 'detached' })
    }
    const sidebar = page.getByRole('navigation', { name: 'Conversations' })
    await open(button(sidebar))
    expect(await button(sidebar).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('invite')
    await open(button(sidebar))
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('')
    await page.getByRole('main').getByRole('button', { name: 'Details' }).click()
    await open(button(page.getByRole('complementary', { name: 'Details' })))
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('invite')
    await open(page.getByRole('option', { name: 'Invite people' }).first())
  })

  it('preselects the invite link if the server sends no email, and warns of links that work only locally', async () => {
    const { owner } = await withoutEmail.makeTeam()
    const page = await withoutEmail.openPage(owner, '/inbox', { viewport: { width: 320, height: 640 } })
    await page.getByRole('button', { name: 'Channels', exact: true }).click()
    await page.getByRole('button', { name: 'Invite people' }).click()
    expect(await inviteDialog(page).getByRole('radio', { name: 'Shareable link' }).isChecked()).toBe(true)
    const warning =
      'open only on the computer that runs Parley. To let others join, start Parley with an address that they can reach'
    await inviteDialog(page).getByText(warning).waitFor()
    expect([await accessibilityFaults(page), await isTooWide(page), await isTooTall(page)]).toEqual([[], false, false])
    await inviteDialog(page).getByRole('button', { name: 'Create link' }).click()
    const made = page.getByRole('dialog', { name: 'Invite link created' })
    expect(await made.getByLabel('Invite link').inputValue()).toContain('.localhost:')
    await made.getByText(warning).waitFor()
    expect([await accessibilityFaults(page), await isTooWide(page), await isTooTall(page)]).toEqual([[], false, false])
  })

  it('offers no invitations to people who cannot invite', async () => {
    const { owner, friend } = await withoutEmail.makeTeam()
    const page = await withoutEmail.openPage(friend, '/inbox', { viewport: { width: 1440, height: 900 } })
    await page.getByRole('main').getByRole('button', { name: 'Details' }).click()
    await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'People' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Invite people' }).count()).toBe(2)
    const offers = async (query: string): Promise<string[]> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(query)
      await page.getByRole('option', { name: /^In/ }).first().waitFor()
      const names = await page.getByRole('option').allTextContents()
      await page.keyboard.press('Escape')
      return names
    }
    expect(await offers('>i')).toContain('Invite people')
    const nobody = { new: { direct_members: [owner.id], direct_subgroups: [] } }
    await owner.call('PATCH', '/realm', { can_invite_users_group: nobody })
    await expect.poll(() => page.getByRole('button', { name: 'Invite people' }).count()).toBe(0)
    expect(await offers('>i')).not.toContain('Invite people')
  })
})
