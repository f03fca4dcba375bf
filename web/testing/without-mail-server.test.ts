import { describe, expect, it } from 'vitest'
import { useMailServer } from '../../server/src/testing/mail-server.ts'
import { useTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { teamOn } from './team.ts'

const mails = await useMailServer()
const sending = useTestServer({ ...LOCAL_DOMAIN, PARLEY_SMTP_URL: mails.url })
const silent = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/** How often a page of the settings says that no e-mail is sent. */
async function saidOn(server: TestServer, section: string, firstSetting: string): Promise<number> {
  const { owner } = await teamOn(server)
  const page = await openAs(browser(), owner, `/settings/${section}`)
  await page.getByText(firstSetting, { exact: true }).first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  return page.getByText('This server sends no e-mail. Its operator can switch that on.', { exact: true }).count()
}

describe.skipIf(!hasBrowser)('the settings of e-mails', () => {
  it.each([
    ['notifications', 'E-mail for direct messages and mentions'],
    ['messages', 'Welcome newcomers by e-mail'],
    ['new-people', 'E-mail for direct messages and mentions'],
  ])('say where nothing is sent that nothing comes of them: %s', async (section, firstSetting) => {
    expect(await saidOn(silent(), section, firstSetting)).toBe(1)
    expect(await saidOn(sending(), section, firstSetting)).toBe(0)
  })
})
