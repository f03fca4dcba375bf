import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { eachPage, findsInPalette, isUndone, settingsOn, type FoundSetting } from './every-setting.ts'
import { teamOn } from './team.ts'

/* A sample of what all-settings.sweep.test.ts checks of every setting. */

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/** A switch, a selection, and a permission. */
const SAMPLE = ['twenty_four_hour_time', 'web_font_size_px', 'can_create_public_channel_group']

describe.skipIf(!hasBrowser)('settings', () => {
  it('have labels, are found in the palette, save at once, and can be undone', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/appearance')
    const all: FoundSetting[] = []
    const stuck: string[] = []
    await eachPage(page, async (section, title) => {
      for (const setting of await settingsOn(page)) {
        all.push({ section, title, ...setting })
        if (SAMPLE.includes(setting.id) && !(await isUndone(page, setting.id))) stuck.push(setting.id)
      }
    })
    expect(all.length).toBeGreaterThan(100)
    expect(all.filter(({ label }) => label === '')).toEqual([])
    expect(stuck).toEqual([])
    const sample = SAMPLE.map((id) => all.find((setting) => setting.id === id))
    for (const setting of sample) {
      if (setting === undefined) throw new Error('a setting of the sample is on no page')
      expect([setting.id, await findsInPalette(page, setting)]).toEqual([setting.id, true])
    }
  })
})
