import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { deliver } from '../../server/src/capabilities/incoming-mail/testing/sending.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser, type WindowOptions } from './browser.ts'
import { contentsOf, teamOn, type Team } from './team.ts'

const server = useTestServer({
  ...LOCAL_DOMAIN,
  PARLEY_INCOMING_MAIL_DOMAIN: 'in.parley.example',
  PARLEY_INCOMING_MAIL_PORT: '0',
})
const silent = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const COPYING = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Opens what Fred may choose of the channel for himself. */
async function openSettings({ friend, channelId }: Team, options: WindowOptions = {}): Promise<Page> {
  const page = await openAs(browser(), friend, `/c/${channelId}`, options)
  const isGerman = options.locale === 'de-DE'
  await page
    .getByRole('main')
    .getByRole('button', { name: isGerman ? 'Mehr' : 'More', exact: true })
    .click()
  await page.getByRole('menuitem', { name: isGerman ? 'Kanaleinstellungen' : 'Channel settings' }).click()
  await page.getByRole('dialog', { name: 'garden' }).getByRole('tabpanel').waitFor()
  return page
}

describe.skipIf(!hasBrowser)('the e-mail address of a channel', () => {
  it('is shown and copied where one asks for it, and takes e-mails', async () => {
    const team = await teamOn(server())
    const page = await openSettings(team, COPYING)
    const part = page.getByRole('group', { name: 'E-mail address of the channel' })
    await part.getByRole('button', { name: 'Show the e-mail address' }).click()
    const address = part.getByText(/^garden\.\d+-[a-z2-7]{26}@in\.parley\.example$/)
    await part.getByRole('button', { name: 'Copy the e-mail address' }).click()
    await page.getByText('Copied').first().waitFor()
    const copied = await page.evaluate(async () => navigator.clipboard.readText())
    expect(copied).toBe(await address.textContent())
    expect(await accessibilityFaults(page)).toEqual([])
    const mail = { to: copied, subject: 'Beans', text: 'They grow' }
    expect((await deliver(server().parley.incomingMailPort ?? 0, mail)).code).toBe(250)
    expect((await contentsOf(team.owner)).at(-1)).toBe('<p>They grow</p>')
  })

  it('is renewed by who administers the channel, and by nobody else', async () => {
    const team = await teamOn(server())
    const theirs = await openSettings(team)
    await theirs.getByRole('button', { name: 'Show the e-mail address', exact: true }).waitFor()
    expect(await theirs.getByRole('button', { name: 'New e-mail address', exact: true }).count()).toBe(0)
    const { email: before } = await team.friend.call('GET', `/streams/${team.channelId}/email_address`)
    const page = await openSettings({ ...team, friend: team.owner })
    await page.getByRole('button', { name: 'New e-mail address', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'New e-mail address', exact: true })
    await question.getByText('All e-mail addresses of this channel stop working at once').waitFor()
    await question.getByRole('button', { name: 'New e-mail address', exact: true }).click()
    await page.getByText('New e-mail address made').waitFor()
    const address = await page.getByText(/^garden\.\d+-[a-z2-7]{26}@in\.parley\.example$/).textContent()
    expect(await accessibilityFaults(page)).toEqual([])
    const { email: after } = await team.owner.call('GET', `/streams/${team.channelId}/email_address`)
    expect(after).toBe(address)
    const port = server().parley.incomingMailPort ?? 0
    expect((await deliver(port, { to: String(before) })).code).toBe(550)
    expect((await deliver(port, { to: String(after) })).code).toBe(250)
  })

  it('says in the language of who asks that the server takes none', async () => {
    const team = await teamOn(silent())
    await team.friend.call('PATCH', '/settings', { default_language: 'de' })
    const page = await openSettings(team, { locale: 'de-DE' })
    await page.getByRole('button', { name: 'E-Mail-Adresse zeigen' }).click()
    const refusal = page.getByRole('alert')
    await refusal.waitFor()
    expect(await refusal.textContent()).toMatch(/^Dieser Server nimmt keine E-Mails an\./)
  })

  it('is offered only to those who may write in the channel', async () => {
    const team = await teamOn(server())
    const page = await openSettings(team)
    const part = page.getByRole('dialog', { name: 'garden' }).getByText('E-mail address of the channel')
    await part.waitFor()
    const { user_groups } = await team.owner.call('GET', '/user_groups')
    const owners = (user_groups as { id: number; name: string }[]).find(({ name }) => name === 'role:owners')?.id
    await team.owner.call('PATCH', `/streams/${team.channelId}`, { can_send_message_group: { new: owners } })
    await expect.poll(() => part.count()).toBe(0)
  })
})
