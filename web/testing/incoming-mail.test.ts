import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { deliverMail } from '../../server/src/capabilities/incoming-mail/testing/sending.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { fetchContents } from './team.ts'

const { server, team, visit } = useTeam({
  PARLEY_INCOMING_MAIL_DOMAIN: 'in.parley.example',
  PARLEY_INCOMING_MAIL_PORT: '0',
})
const withoutEmail = useTeam()

async function openChannelSettings(page: Page, { more = 'More', settings = 'Channel settings' } = {}): Promise<Page> {
  await page.getByRole('main').getByRole('button', { name: more, exact: true }).click()
  await page.getByRole('menuitem', { name: settings }).click()
  await page.getByRole('dialog', { name: 'garden' }).getByRole('tabpanel').waitFor()
  return page
}

describe.skipIf(!hasBrowser)('channel email address', () => {
  it("shows and copies a channel's email address, and receives email", async () => {
    const { owner, friend, channelId } = await team()
    const page = await openChannelSettings(await visit(friend, `/c/${channelId}`))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const part = page.getByRole('group', { name: 'Channel email address' })
    await part.getByRole('button', { name: 'Show email address' }).click()
    const address = part.getByText(/^garden\.\d+-[a-z2-7]{26}@in\.parley\.example$/)
    await part.getByRole('button', { name: 'Copy email address' }).click()
    await page.getByText('Copied').first().waitFor()
    const copied = await page.evaluate(async () => navigator.clipboard.readText())
    expect(copied).toBe(await address.textContent())
    expect(await accessibilityFaults(page)).toEqual([])
    const mail = { to: copied, subject: 'Beans', text: 'They grow' }
    expect((await deliverMail(server().parley.incomingMailPort ?? 0, mail)).code).toBe(250)
    expect((await fetchContents(owner)).at(-1)).toBe('<p>They grow</p>')
  })

  it("lets only channel admins replace a channel's email address", async () => {
    const { owner, friend, channelId } = await team()
    const theirs = await openChannelSettings(await visit(friend, `/c/${channelId}`))
    await theirs.getByRole('button', { name: 'Show email address', exact: true }).waitFor()
    expect(await theirs.getByRole('button', { name: 'Create new email address', exact: true }).count()).toBe(0)
    const { email: before } = await friend.call('GET', `/streams/${channelId}/email_address`)
    const page = await openChannelSettings(await visit(owner, `/c/${channelId}`))
    await page.getByRole('tab', { name: 'Personal' }).click()
    await page.getByRole('button', { name: 'Create new email address', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Create new email address', exact: true })
    await question.getByText('Every existing email address for this channel stops working').waitFor()
    await question.getByRole('button', { name: 'Create new email address', exact: true }).click()
    await page.getByText('New email address created').waitFor()
    const address = await page.getByText(/^garden\.\d+-[a-z2-7]{26}@in\.parley\.example$/).textContent()
    expect(await accessibilityFaults(page)).toEqual([])
    const { email: after } = await owner.call('GET', `/streams/${channelId}/email_address`)
    expect(after).toBe(address)
    const port = server().parley.incomingMailPort ?? 0
    expect((await deliverMail(port, { to: before })).code).toBe(550)
    expect((await deliverMail(port, { to: after })).code).toBe(250)
  })

  it("reports in the person's language that the server receives no email", async () => {
    const { friend, channelId } = await withoutEmail.team()
    await friend.call('PATCH', '/settings', { default_language: 'de' })
    const german = { more: 'Mehr', settings: 'Kanaleinstellungen' }
    const page = await withoutEmail.openPage(friend, `/c/${channelId}`, { locale: 'de-DE' })
    await openChannelSettings(page, german)
    await page.getByRole('button', { name: 'E-Mail-Adresse anzeigen' }).click()
    const refusal = page.getByRole('alert')
    await refusal.waitFor()
    expect(await refusal.textContent()).toMatch(/^Dieser Server empfängt keine E-Mails\./)
  })

  it('offers the email address only to people who can post in the channel', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openChannelSettings(await visit(friend, `/c/${channelId}`))
    const part = page.getByRole('dialog', { name: 'garden' }).getByText('Channel email address')
    await part.waitFor()
    const { user_groups } = await owner.call('GET', '/user_groups')
    const owners = user_groups.find(({ name }) => name === 'role:owners')?.id
    await owner.call('PATCH', `/streams/${channelId}`, { can_send_message_group: { new: owners } })
    await expect.poll(() => part.count()).toBe(0)
  })
})
