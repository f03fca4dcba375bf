import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { composer, say, type Team } from './team.ts'

const OUTSIDER_NAME = 'Gina Green'

export type ComposerState = 'warnings and suggestions' | 'channels' | 'Create poll' | 'Insert time' | 'Saved snippets'

/** Opens a topic, and brings its composer into each state in turn. @param visit opens a page at a path */
export async function eachComposerState(
  { friend, channelId, user }: Team,
  visit: (path: string) => Promise<Page>,
  look: (page: Page, state: ComposerState) => Promise<void>,
): Promise<void> {
  await user(OUTSIDER_NAME)
  await say(friend, channelId, 'roses', 'They grow')
  const page = await visit(`/c/${channelId}/t/roses`)
  await composer(page).fill(`@**all** @**${OUTSIDER_NAME}** **tall** `)
  await page.getByRole('button', { name: 'Formatting' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('region', { name: 'Preview' }).getByText('tall').waitFor()
  await page.getByRole('button', { name: 'Add them' }).waitFor()
  await expect
    .poll(() => page.locator('[data-announcer]').textContent())
    .toContain(`${OUTSIDER_NAME} isn’t in this channel`)
  await composer(page).focus()
  await page.keyboard.type('@g')
  await page.getByRole('option', { name: OUTSIDER_NAME }).waitFor()
  await look(page, 'warnings and suggestions')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: /garden/ }).waitFor()
  await look(page, 'channels')
  for (const name of ['Create poll', 'Insert time', 'Saved snippets'] as const) {
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog', { name }).waitFor()
    await look(page, name)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }
}
