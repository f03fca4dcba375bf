import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, openAs, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, createTeamOn, hasRead, leaveComposer, list, say, type Team } from './team.ts'

const { server, browser, team: sharedTeam, visit, makeTeam, openPage } = useTeam()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const row = (page: Page, name: RegExp) => page.getByRole('main').getByRole('link', { name })

async function setPreferences({ owner }: Team, preferences: Readonly<Record<string, unknown>>): Promise<void> {
  const kept = Object.entries(preferences).map(([name, value]) => [`web.${name}`, JSON.stringify(value)])
  await owner.call('PATCH', '/preferences', { preferences: Object.fromEntries(kept) })
}

async function sendDirect({ owner, friend }: Team, content: string): Promise<number> {
  return (await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content }))['id']
}

/** Creates a team with three channels, whose owner has read everything. */
async function teamWithThreeChannels(): Promise<Team> {
  const team = await makeTeam()
  await team.friend.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'attic' }, { name: 'pond' }],
    principals: [team.owner.id, team.friend.id],
    send_new_subscription_messages: false,
  })
  await team.owner.call('POST', '/mark_all_as_read')
  return team
}

async function usePreset(page: Page, team: Team, preset: string): Promise<void> {
  await setPreferences(team, { 'keys.preset': preset })
  await show(page, '/settings/keys')
  const choice = page.getByRole('combobox', { name: 'Preset' })
  await expect.poll(() => choice.inputValue()).toBe(preset)
}

const fetchChannelId = async ({ owner }: Team, name: string): Promise<number> =>
  (await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id']

describe.skipIf(!hasBrowser)('navigation keys', () => {
  it('toggles between topic and channel with S', async () => {
    const { owner, friend, channelId } = await sharedTeam()
    await say(friend, channelId, 'beans', 'Hello')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await heading(page, /beans/).waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 's')
    await heading(page, 'garden').waitFor()
    await pressShortcut(page, 's')
    await heading(page, /beans/).waitFor()
    expect(new URL(page.url()).pathname).toContain('/t/beans')
  })

  it('opens the next unread DM with P', async () => {
    const team = await makeTeam()
    await say(team.friend, team.channelId, 'beans', 'Newer than the direct message')
    await sendDirect(team, 'Only you')
    await say(team.friend, team.channelId, 'peas', 'Newest')
    const page = await openPage(team.owner)
    await row(page, /peas/).waitFor()
    await pressShortcut(page, 'p')
    await heading(page, 'Fred Friend').waitFor()
    // Pressing P again does nothing, because no other direct message is unread.
    await pressShortcut(page, 'p')
    expect(await heading(page, 'Fred Friend').count()).toBe(1)
  })

  it('opens the next or previous sidebar conversation by keyboard, from any field', async () => {
    const team = await teamWithThreeChannels()
    await sendDirect(team, 'Only you')
    const page = await openPage(team.owner)
    await row(page, /Fred Friend/).waitFor()
    const down = async (): Promise<void> => pressShortcut(page, 'Alt+ArrowDown')
    await down()
    await heading(page, 'Fred Friend').waitFor()
    await composer(page).fill('Half a thought')
    await down()
    await heading(page, 'attic').waitFor()
    await down()
    await heading(page, 'garden').waitFor()
    await pressShortcut(page, 'Alt+ArrowUp')
    await heading(page, 'attic').waitFor()
    await pressShortcut(page, 'Alt+ArrowUp')
    await heading(page, 'Fred Friend').waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('Half a thought')
  })

  it('opens unread conversations in sidebar order, and skips muted conversations', async () => {
    const team = await teamWithThreeChannels()
    const { owner, friend, channelId } = team
    await say(friend, await fetchChannelId(team, 'pond'), 'frogs', 'Quack')
    await say(friend, channelId, 'weeds', 'Muted')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'weeds', visibility_policy: 1 })
    await say(friend, channelId, 'beans', 'Grow')
    await say(friend, await fetchChannelId(team, 'attic'), 'dust', 'Sneeze')
    await sendDirect(team, 'Only you')
    const page = await openPage(owner)
    await row(page, /frogs/).waitFor()
    // The next round skips the conversations that were read on the way.
    for (const name of ['Fred Friend', /dust/, /beans/, /frogs/]) {
      await pressShortcut(page, 'Alt+Shift+ArrowDown')
      await heading(page, name).waitFor()
    }
    await page.goBack()
    await heading(page, /beans/).waitFor()
    await say(friend, await fetchChannelId(team, 'attic'), 'dust', 'Sneeze again')
    await say(friend, await fetchChannelId(team, 'pond'), 'frogs', 'Quack again')
    await pressShortcut(page, 'Alt+Shift+ArrowUp')
    await heading(page, /dust/).waitFor()
    expect(await heading(page, /weeds/).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('shortcut presets', () => {
  const VIEWS = [
    { preset: 'parley', inbox: 'i', recent: 't', feed: 'a', drafts: 'd' },
    { preset: 'zulip', inbox: 'Shift+I', recent: 't', feed: 'a', drafts: 'd' },
    {
      preset: 'slack',
      inbox: 'Control+Shift+A',
      recent: 'Control+Shift+K',
      feed: undefined,
      drafts: 'Control+Shift+D',
    },
    { preset: 'vim', inbox: 'Shift+I', recent: 't', feed: 'a', drafts: 'd' },
  ] as const

  it('opens views with the keys of each preset', async () => {
    const made = await sharedTeam()
    await made.owner.call('POST', '/mark_all_as_read')
    const page = await visit(made.owner, '/inbox')
    for (const { preset, inbox, recent, feed, drafts } of VIEWS) {
      await usePreset(page, made, preset)
      await say(made.friend, made.channelId, 'beans', 'Hello')
      await show(page, '/inbox')
      await row(page, /beans/).waitFor()
      const views = [
        ['Recent', recent],
        ['All messages', feed],
        ['Drafts', drafts],
        ['Inbox', inbox],
        ['Triage', 'Shift+N'],
      ] as const
      for (const [name, key] of views) {
        if (key === undefined) continue
        await pressShortcut(page, key)
        await heading(page, name).waitFor()
      }
      await pressShortcut(page, 'Escape')
      await heading(page, 'Inbox').waitFor()
      await pressShortcut(page, '/')
      await page.getByRole('combobox', { name: 'Search messages' }).waitFor()
      await pressShortcut(page, 'Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await pressShortcut(page, 'Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await pressShortcut(page, 'Alt+Shift+ArrowDown')
      await heading(page, /beans/).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
    await usePreset(page, made, 'parley')
  })

  it('in triage, sends and marks as done with one shortcut, and shows that shortcut above the composer', async () => {
    const team = await makeTeam()
    await team.owner.call('POST', '/mark_all_as_read')
    await say(team.friend, team.channelId, 'beans', 'First')
    const id = await say(team.friend, team.channelId, 'peas', 'Second')
    const page = await openPage(team.owner, '/triage')
    const at = (name: RegExp) => page.getByRole('heading', { name, level: 2 })
    const box = async (locator: Locator) => {
      const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return { start: x, top: y, end: x + width, bottom: y + height }
    }
    await at(/peas/).waitFor()
    await pressShortcut(page, 'h')
    const later = await box(page.getByRole('button', { name: 'Later' }))
    const times = await box(page.getByRole('menu'))
    expect(times.start).toBeCloseTo(later.start, 0)
    expect(Math.abs(later.top - times.bottom)).toBeLessThan(10)
    await pressShortcut(page, 'Escape')
    await composer(page).fill('An answer')
    await page.keyboard.press('Control+Shift+Enter')
    await at(/beans/).waitFor()
    await expect.poll(() => hasRead(team.owner, id)).toBe(true)
    const toast = page.getByRole('status').getByText('1 message marked as read: peas in garden')
    await toast.waitFor()
    await composer(page).waitFor()
    expect((await box(toast)).top).toBeGreaterThan((await box(composer(page))).bottom)
    expect((await box(toast)).start).toBeGreaterThan((await box(page.getByRole('button', { name: 'Skip' }))).end)
    expect(await composer(page).inputValue()).toBe('')
  })

  const HANDLING = [
    { preset: 'parley', read: 'e', mute: 'm', remind: 'h', undo: 'u', skip: 'n', back: 'ArrowLeft' },
    { preset: 'zulip', read: 'e', mute: 'Shift+M', remind: 'h', undo: 'u', skip: 'n', back: 'ArrowLeft' },
    { preset: 'slack', read: 'e', mute: 'Shift+M', remind: 'm', undo: 'Control+z', skip: 'n', back: 'ArrowLeft' },
    { preset: 'vim', read: 'x', mute: 'Shift+M', remind: 'z', undo: 'u', skip: 'l', back: 'h' },
  ] as const

  it('operates the inbox and triage with the keys of each preset', async () => {
    const made = await sharedTeam()
    await made.owner.call('POST', '/mark_all_as_read')
    const page = await visit(made.owner, '/inbox')
    for (const { preset, ...keys } of HANDLING) {
      const [peas, beans] = [new RegExp(`peas for ${preset}`), new RegExp(`beans for ${preset}`)]
      await usePreset(page, made, preset)
      await say(made.friend, made.channelId, `beans for ${preset}`, 'First')
      const id = await say(made.friend, made.channelId, `peas for ${preset}`, 'Second')
      await show(page, '/inbox')
      await row(page, peas).focus()
      await pressShortcut(page, keys.remind)
      await page.getByRole('menuitem', { name: /Tomorrow morning/ }).waitFor()
      await pressShortcut(page, 'Escape')
      await pressShortcut(page, keys.read)
      // The row stays while the focus is in the list.
      await row(page, peas).getByText('1 unread message').waitFor({ state: 'detached' })
      await expect.poll(() => hasRead(made.owner, id)).toBe(true)
      await pressShortcut(page, keys.undo)
      await row(page, peas).getByText('1 unread message').waitFor()
      await row(page, peas).focus()
      await pressShortcut(page, keys.mute)
      await row(page, peas).getByText('muted').waitFor()
      await pressShortcut(page, keys.undo)
      await row(page, peas).getByText('muted').waitFor({ state: 'detached' })
      await pressShortcut(page, 'Shift+N')
      const at = (name: RegExp) => page.getByRole('heading', { name, level: 2 })
      await at(peas).waitFor()
      await pressShortcut(page, keys.skip)
      await at(beans).waitFor()
      await pressShortcut(page, keys.back)
      await at(peas).waitFor()
      await pressShortcut(page, keys.remind)
      await page.getByRole('menuitem', { name: /Tomorrow morning/ }).waitFor()
      await pressShortcut(page, 'Escape')
      await pressShortcut(page, keys.mute)
      await at(beans).waitFor()
      await pressShortcut(page, keys.read)
      await at(/All done/).waitFor()
    }
    await usePreset(page, made, 'parley')
  })

  it('undoes the last action while its request is still pending', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const id = await say(friend, channelId, 'beans', 'First')
    await say(friend, channelId, 'peas', 'Second')
    const page = await openAs(browser(), owner)
    await row(page, /beans/).focus()
    await pressShortcut(page, 'e')
    await page.getByRole('status').getByText('1 message marked as read').waitFor()
    // Delays the response, but not the event.
    const debug = await page.context().newCDPSession(page)
    await debug.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/v1/user_topics', requestStage: 'Response' }] })
    const answered = new Promise<string>((resolve) => {
      debug.once('Fetch.requestPaused', ({ requestId }) => resolve(requestId))
    })
    await row(page, /peas/).focus()
    await pressShortcut(page, 'm')
    await row(page, /peas/).waitFor({ state: 'hidden' })
    await pressShortcut(page, 'u')
    await debug.send('Fetch.continueRequest', { requestId: await answered })
    await debug.send('Fetch.disable')
    await row(page, /peas/).waitFor()
    expect(await hasRead(owner, id)).toBe(true)
  })

  const WRITING = [
    { preset: 'parley', reply: 'r', quote: '>', react: ':', star: 'Control+s', move: 'm' },
    { preset: 'zulip', reply: 'Enter', quote: '>', react: ':', star: 'Control+s', move: 'm' },
    { preset: 'slack', reply: 't', quote: '>', react: 'r', star: 'a', move: undefined },
    { preset: 'vim', reply: 'i', quote: '>', react: 'r', star: 'm', move: 'Shift+M' },
  ] as const

  it('acts on messages with the keys of each preset', async () => {
    const made = await sharedTeam()
    const page = await visit(made.owner, '/inbox')
    for (const { preset, reply, quote, react, star, move } of WRITING) {
      await usePreset(page, made, preset)
      await say(made.friend, made.channelId, `beans for ${preset}`, `Hello ${preset}`)
      await show(page, `/c/${made.channelId}/t/beans%20for%20${preset}`)
      const message = list(page)
        .getByRole('article')
        .filter({ hasText: `Hello ${preset}` })
      await message.focus()
      await pressShortcut(page, star)
      await message.getByText('Starred').waitFor()
      await pressShortcut(page, '+')
      await message.getByRole('button', { name: /you reacted with/ }).waitFor()
      await pressShortcut(page, react)
      await page.getByRole('searchbox', { name: 'Search emoji' }).waitFor()
      await pressShortcut(page, 'Escape')
      if (move !== undefined) {
        await message.focus()
        await pressShortcut(page, move)
        await page.getByRole('dialog', { name: /Move/ }).waitFor()
        await pressShortcut(page, 'Escape')
      }
      await message.focus()
      await pressShortcut(page, quote)
      await page.getByRole('group', { name: 'Replying to Fred Friend' }).getByText(`Hello ${preset}`).waitFor()
      await message.focus()
      await pressShortcut(page, reply)
      await expect.poll(() => composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
    }
    await usePreset(page, made, 'parley')
  })

  it('replies only to the author of a message in a feed with Shift+R', async () => {
    const { owner, friend, channelId } = await sharedTeam()
    await say(friend, channelId, 'beans', 'Hello to all')
    const page = await visit(owner, '/feed')
    await page.getByRole('article').filter({ hasText: 'Hello to all' }).focus()
    await pressShortcut(page, 'Shift+R')
    await page.getByRole('textbox', { name: 'Message to Fred Friend' }).waitFor()
    await page.keyboard.type('Just to you')
    await pressShortcut(page, 'Control+Enter')
    const last = async (): Promise<unknown> => {
      const { messages } = await friend.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
      return messages.map(({ content, type }) => [type, content])
    }
    await expect.poll(last).toEqual([['private', '<p>Just to you</p>']])
  })
})

describe.skipIf(!hasBrowser)('reply key', () => {
  it('focuses the composer that R opens in a feed', async () => {
    const { owner, friend, channelId } = await sharedTeam()
    await say(friend, channelId, 'melons', 'Hello in the feed')
    const page = await visit(owner, '/feed')
    await page.getByRole('article').filter({ hasText: 'Hello in the feed' }).focus()
    await pressShortcut(page, 'r')
    await page.getByRole('textbox', { name: /^Message to .*melons/ }).waitFor()
    await page.keyboard.type('Typed at once')
    await expect.poll(() => composer(page).inputValue()).toBe('Typed at once')
  })
})

describe.skipIf(!hasBrowser)('key names', () => {
  it('names keys in German if the client is in German', async () => {
    const team = await makeTeam()
    await setPreferences(team, { 'keys.preset': 'slack' })
    await team.owner.call('PATCH', '/settings', { default_language: 'de' })
    const page = await openPage(team.owner, '/inbox', { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Gehe zu …' }).waitFor()
    expect(await page.getByRole('button', { name: 'Gehe zu …' }).getAttribute('title')).toContain('(Strg+K)')
    await pressShortcut(page, 'Control+/')
    const map = page.getByRole('dialog', { name: 'Tastatur' })
    for (const key of ['Strg+Umschalt+A', 'Entf', 'Pos1', 'Ende', 'Bild ↑', 'Umschalt+Esc', 'Alt+Umschalt+↓']) {
      await map.getByText(key, { exact: true }).first().waitFor()
    }
    expect(await map.getByText(/Ctrl|Shift|Del\b|Home/).count()).toBe(0)
    await pressShortcut(page, 'Escape')
    await pressShortcut(page, 'Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('>Eingang')
    await page
      .getByRole('option', { name: /Eingang/ })
      .getByText('Strg+Umschalt+A')
      .waitFor()
  })
})
