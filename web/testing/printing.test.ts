import { expect, describe, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { composer, list, say, createTeamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

function countPages(pdf: Buffer): number {
  return [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length
}

describe.skipIf(!hasBrowser)('browser printing', () => {
  it.each(['light', 'dark'] as const)(
    'prints the whole loaded conversation in black on white, without controls, from the %s theme',
    async (colorScheme) => {
      const { owner, friend, channelId } = await createTeamOn(server())
      for (let index = 1; index <= 50; index += 1)
        await say(friend, channelId, 'beans', `Bean ${index}\n\n* it grows\n* it is green`)
      const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { colorScheme })
      await list(page).getByText('Bean 50', { exact: true }).waitFor({ state: 'attached' })
      await composer(page).fill('Not yet said')
      const onScreen = countPages(await page.pdf({ format: 'A4' }))
      await page.emulateMedia({ media: 'print', colorScheme })
      await composer(page).waitFor({ state: 'hidden' })
      const inPrint = page.getByRole('heading', { name: /beans/ })
      expect(await inPrint.isVisible()).toBe(true)
      expect(await page.getByRole('navigation').count()).toBe(0)
      expect(await page.getByRole('button', { name: /^(More|Jump to newest|Send)/ }).count()).toBe(0)
      expect(
        await page.locator('.list').evaluate((element) => element.scrollHeight - element.clientHeight),
      ).toBeLessThanOrEqual(1)
      expect(onScreen).toBeGreaterThan(2)
      const colors = await list(page)
        .getByText('Bean 1', { exact: true })
        .evaluate((element) => [getComputedStyle(element).color, getComputedStyle(document.body).backgroundColor])
      expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    },
  )
})
