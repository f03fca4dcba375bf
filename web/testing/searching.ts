import type { Locator, Page } from 'playwright-core'
import type { TeamTests } from './shared.ts'
import type { Team } from './team.ts'

/** Returns a team and a page of its owner, who has read everything. */
export async function searchTeam({ team, visit }: TeamTests<Team>): Promise<Team & { readonly page: Page }> {
  const made = await team()
  await made.owner.call('POST', '/mark_all_as_read')
  return { ...made, page: await visit(made.owner, '/settings') }
}

export const searchField = (page: Page): Locator => page.getByRole('combobox', { name: 'Search messages' })
export const resultsOf = (page: Page): Locator => page.getByRole('region', { name: 'Messages' })

export async function expectResultCount(page: Page, number: number): Promise<void> {
  await page
    .getByRole('main')
    .getByText(`${number} ${number === 1 ? 'result' : 'results'}`, { exact: true })
    .waitFor()
}
