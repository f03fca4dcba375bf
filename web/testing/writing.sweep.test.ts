import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { eachComposerState } from './composer-states.ts'
import { useTeam } from './shared.ts'
import { faultsInThemes } from './usable.ts'

const { makeTeam, openPage } = useTeam()

describe.skipIf(!hasBrowser)('composer', () => {
  it('shows an accessible composer in every state and theme', async () => {
    const team = await makeTeam()
    const viewport = { width: 320, height: 700 }
    await eachComposerState(
      team,
      async (path) => openPage(team.owner, path, { viewport }),
      async (page, state) => expect([state, await faultsInThemes(page)]).toEqual([state, []]),
    )
  })
})
