import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, load, openWindow, show, signInByCookie } from './browser.ts'
import { useTeam } from './shared.ts'

const { browser, makeTeam, openPage } = useTeam()
const HINT_OPTIONS = { hasHints: true }
const BUILD_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web')

const introduction = (page: Page) => page.getByRole('region', { name: 'Welcome to Hill & Valley' })
const row = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })

describe.skipIf(!hasBrowser)('introduction that loads late', () => {
  it('shows the introduction together with the inbox rows, or not at all', async () => {
    const { owner, user } = await makeTeam()
    const nora = await user('Nora New')
    await owner.sendTo([nora.id], 'Hello Nora')
    const page = await openPage(nora, '/settings/appearance', HINT_OPTIONS)
    await page.getByLabel('Language').waitFor()
    const held: (() => void)[] = []
    await page.route('**/api/v1/recent?*participated=true*', async (route) => {
      await new Promise<void>((resolve) => {
        held.push(resolve)
      })
      await route.continue()
    })
    await show(page, '/inbox')
    await expect.poll(() => held.length).toBe(1)
    expect(await row(page, 'Olivia Owner').count()).toBe(0)
    for (const go of held) go()
    await introduction(page).waitFor()
    expect(await row(page, 'Olivia Owner').last().isVisible()).toBe(true)
    await show(page, '/recent')
    await page.getByRole('heading', { name: 'Recent', exact: true }).waitFor()
    await show(page, '/inbox')
    await expect.poll(() => held.length).toBe(2)
    // The introduction gives up if its request is not answered in time.
    await row(page, 'Olivia Owner').waitFor()
    expect(await introduction(page).count()).toBe(0)
    for (const go of held) go()
  })

  it('shows the inbox before the script of the introduction has loaded', async () => {
    const { owner, user } = await makeTeam()
    const nora = await user('Nora New')
    await owner.sendTo([nora.id], 'Hello Nora')
    const context = await openWindow(browser())
    const held: (() => void)[] = []
    const scripts = readdirSync(BUILD_FOLDER).filter((name) => name.endsWith('.js'))
    for (const name of scripts.filter((one) =>
      readFileSync(join(BUILD_FOLDER, one), 'utf8').includes('first-steps-head'),
    ))
      await context.route(`**/assets/${name}`, async (route) => {
        await new Promise<void>((resolve) => {
          held.push(resolve)
        })
        await route.continue()
      })
    const page = await context.newPage()
    await signInByCookie(page, nora)
    await load(page, nora, '/inbox')
    await expect.poll(() => held.length).toBe(1)
    await row(page, 'Olivia Owner').waitFor()
    for (const go of held) go()
    await show(page, '/recent')
    await page.getByRole('heading', { name: 'Recent', exact: true }).waitFor()
    await show(page, '/inbox')
    await introduction(page).waitFor()
  })
})
