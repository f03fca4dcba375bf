import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../server/src/capabilities/groups/contract/permissions.ts'
import { REALM_SETTING_NAMES } from '../../server/src/capabilities/organizations/contract/settings.ts'
import { USER_SETTING_NAMES } from '../../server/src/capabilities/users/contract/settings.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { eachPage, findsInPalette, isUndone, settingsOn, type FoundSetting } from './every-setting.ts'
import { teamOn } from './team.ts'

/* What holds for all settings, whichever there are: each is found, counts at once, and is undone. */

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/** Of the organization; the pages of this client have no control for them. */
const WITHOUT_CONTROL_HERE: Readonly<Record<string, string>> = {
  want_advertise_in_communities_directory: 'no directory is there',
  can_manage_billing_group: 'nothing is billed',
  can_summarize_topics_group: 'nothing is summarized',
  require_e2ee_push_notifications: 'pushes are always encrypted',
  service_update_announcements_stream_id: 'the server announces nothing new',
  giphy_rating: 'this client looks for no moving pictures',
  message_retention_days: 'it is confirmed, and tested with the retention',
}

/** Of a person. */
const NOT_OF_THIS_CLIENT: Readonly<Record<string, string>> = {
  web_channel_default_view: 'a channel opens with its topics',
  web_suggest_update_timezone: 'it does not suggest one',
  fluid_layout_width: 'it is as wide as its window',
  display_emoji_reaction_users: 'it shows who reacted where one points',
  web_home_view: 'it begins with the inbox',
  web_escape_navigates_to_home_view: 'escape goes back one layer',
  left_side_userlist: 'it has no list of people',
  user_list_style: 'it has no list of people',
  emojiset: 'emoji are those of the system',
  hide_ai_features: 'it has none',
  web_left_sidebar_unreads_count_summary: 'it sums up nothing there',
  enable_drafts_synchronization: 'drafts are always kept',
  enable_marketing_emails: 'the server sends none',
  desktop_icon_count_display: 'it does not say',
  web_navigate_to_sent_message: 'it stays where one is',
  web_inbox_show_channel_folders: 'its inbox has no folders',
}

/** Their controls are there where the server does what they are for. */
const WHERE_THE_SERVER_DOES_IT = [
  'digest_emails_enabled',
  'digest_weekday',
  'enable_digest_emails',
  'enable_spectator_access',
  'inline_url_embed_preview',
  'send_welcome_emails',
]

/** They are refused, or change more than what one sees of them, and have tests of their own. */
const NOT_TRIED = ['language', 'message_retention_days', 'jitsi_server_url']

/** The language of new people is that of the organization; the other is for each person alone to say. */
const NOT_FOR_OTHERS = ['default_language', 'allow_private_data_export']

/** An owner with all that settings depend on: a private channel, of which some are. */
async function ownerWithAll(): Promise<TestUser> {
  const { owner } = await teamOn(server())
  await owner.subscribe(['desk'], { invite_only: true })
  return owner
}

describe.skipIf(!hasBrowser)('all settings', () => {
  it('are found in the palette by what they are called, which opens the page at them', async () => {
    const page = await openAs(browser(), await ownerWithAll(), '/settings/appearance')
    const all: FoundSetting[] = []
    await eachPage(page, async (section, title) => {
      for (const setting of await settingsOn(page)) all.push({ section, title, ...setting })
    })
    expect(all.length).toBeGreaterThan(100)
    expect(all.filter(({ label }) => label === '')).toEqual([])
    const lost: string[] = []
    for (const setting of all) {
      if (!(await findsInPalette(page, setting))) lost.push(setting.label)
    }
    expect(lost).toEqual([])
  }, 240_000)

  it('count at once, and are as before when that is undone', async () => {
    const owner = await ownerWithAll()
    const page = await openAs(browser(), owner, '/settings/appearance')
    const changed = new Set<string>()
    const changedOfNewPeople = new Set<string>()
    page.on('request', (request) => {
      if (request.method() !== 'PATCH') return
      const isOfNewPeople = request.url().endsWith('/realm/user_settings_defaults')
      for (const name of new URLSearchParams(request.postData() ?? '').keys()) {
        ;(isOfNewPeople ? changedOfNewPeople : changed).add(name)
      }
    })
    const stuck: string[] = []
    await eachPage(page, async (section) => {
      for (const { id } of await settingsOn(page)) {
        if (NOT_TRIED.includes(id)) continue
        if (!(await isUndone(page, id))) stuck.push(`${section}/${id}`)
      }
    })
    expect(stuck).toEqual([])
    const untouched = (names: readonly string[], left: Readonly<Record<string, string>>): string[] =>
      names.filter(
        (name) => ![...changed, ...NOT_TRIED, ...WHERE_THE_SERVER_DOES_IT, ...Object.keys(left)].includes(name),
      )
    expect(untouched([...REALM_SETTING_NAMES, ...Object.keys(PERMISSIONS.realm)], WITHOUT_CONTROL_HERE)).toEqual([])
    expect(untouched(USER_SETTING_NAMES, NOT_OF_THIS_CLIENT)).toEqual([])
    const own = USER_SETTING_NAMES.filter((name) => changed.has(name))
    expect(own.filter((name) => !changedOfNewPeople.has(name))).toEqual(NOT_FOR_OTHERS)
    const excused = Object.keys({ ...WITHOUT_CONTROL_HERE, ...NOT_OF_THIS_CLIENT })
    expect(excused.filter((name) => changed.has(name))).toEqual([])
  }, 240_000)
})
