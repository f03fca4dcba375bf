import type { Locator, Page } from 'playwright-core'
import { upload } from '../../server/src/testing/files.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { composer, say } from './team.ts'

export const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Details' })
export const panelSection = (page: Page, name: string): Locator => panel(page).getByRole('region', { name })
export const files = (page: Page): Locator => panelSection(page, 'Files')
export const participants = (page: Page): Locator => panelSection(page, 'Participants')
export const participant = (page: Page, name: RegExp): Locator => participants(page).getByRole('button', { name })

/** Opens the panel of the conversation that a page shows. */
export async function openPanel(page: Page): Promise<void> {
  await composer(page).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Details' }).click()
}

export async function shareFile(from: TestUser, channelId: number, name: string, topic = 'beans'): Promise<number> {
  return say(from, channelId, topic, `See [this](${await upload(from, name, name)})`)
}
