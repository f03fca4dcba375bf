import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser } from './browser.ts'
import { WIDTHS } from './every-view.ts'
import { useTeam } from './shared.ts'
import { say } from './team.ts'
import { faultsInThemes } from './usable.ts'

const { team, openStranger } = useTeam({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const CONTENT = `Peas need **peat**, \`water\`, and [sun](https://sun.example).

| Plant | Sown |
|---|---|
| ${'Runner beans '.repeat(20)} | May |

\`\`\`
${'a long line of code '.repeat(20)}
\`\`\``

describe.skipIf(!hasBrowser)('web-public channels without an account', () => {
  it.each(['client', 'pages'])('are accessible at each width in each theme: %s', async (kind) => {
    const { owner, channelId } = await team()
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    await owner.call('PATCH', `/streams/${channelId}`, { is_web_public: true })
    await say(owner, channelId, `${kind} peas`, CONTENT)
    const topic = encodeURIComponent(`${kind} peas`)
    const paths =
      kind === 'client'
        ? ['/', `/c/${channelId}`, `/c/${channelId}/t/${topic}`, '/search?q=peas', `/c/${channelId}/t/${topic}#sign-in`]
        : ['/public', `/public/${channelId}`, `/public/${channelId}/topic/${topic}`]
    const faults: unknown[] = []
    const page = await openStranger()
    for (const path of paths) {
      await page.goto('about:blank')
      await page.goto(addressOf(owner, path))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        for (const fault of await faultsInThemes(page)) faults.push([path, width, fault])
      }
    }
    // Unlike the client, pages scroll as a whole.
    expect(faults.filter((fault) => kind === 'client' || !JSON.stringify(fault).includes('too tall'))).toEqual([])
  })
})
