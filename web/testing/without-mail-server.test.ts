import { describe, expect, it } from 'vitest'
import { useMailServer } from '../../server/src/testing/mail-server.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'

const mails = await useMailServer()
const withEmail = useTeam({ PARLEY_SMTP_URL: mails.url })
const withoutEmail = useTeam()

async function countNotices(
  { team, visit }: typeof withoutEmail,
  section: string,
  firstSetting: string,
): Promise<number> {
  const { owner } = await team()
  const page = await visit(owner, `/settings/${section}`)
  await page.getByText(firstSetting, { exact: true }).first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  return page.getByText('This server doesn’t send email. The operator can turn it on.', { exact: true }).count()
}

describe.skipIf(!hasBrowser)('email settings', () => {
  it.each([
    ['notifications', 'Email for direct messages and mentions'],
    ['messages', 'Send welcome emails'],
    ['new-people', 'Email for direct messages and mentions'],
  ])('explains on the settings page %s that the server sends no email', async (section, firstSetting) => {
    expect(await countNotices(withoutEmail, section, firstSetting)).toBe(1)
    expect(await countNotices(withEmail, section, firstSetting)).toBe(0)
  })
})
