import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, list, createNewcomer, say, createTeamOn } from './team.ts'

const { server, browser, team, visit, openPage } = useTeam()

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

describe.skipIf(!hasBrowser)('shortcut settings', () => {
  const press = async (page: Page, key: string): Promise<void> => {
    await page.getByRole('heading', { name: 'Keyboard' }).click()
    await page.keyboard.press(key)
  }

  it('changes a shortcut in all browsers, reports a conflict, and resets the shortcut', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/keys')
    await page.getByRole('searchbox', { name: 'Find a shortcut' }).fill('open')
    await page.getByRole('button', { name: 'Change shortcut: Open inbox' }).click()
    await page.keyboard.press('Enter')
    await page.getByText('Enter is reserved. Press another key.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change shortcut: Open inbox' }).click()
    await page.keyboard.press('t')
    await page.getByText('T is also used for “Open recent conversations”.').waitFor()
    await page.getByRole('button', { name: 'Change shortcut: Open inbox' }).click()
    await page.keyboard.press('Alt+Shift+b')
    await expect.poll(() => page.getByText(/is also used for/).count()).toBe(0)
    const elsewhere = await openPage(owner, '/recent')
    await elsewhere.getByRole('heading', { name: 'Recent' }).waitFor()
    await elsewhere.keyboard.press('i')
    await elsewhere.keyboard.press('Alt+Shift+b')
    await elsewhere.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByRole('button', { name: 'Reset shortcut: Open inbox' }).click()
    await press(page, 'i')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('applies a shortcut preset, even if single-key shortcuts are off', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(owner, channelId, 'peas', 'Grow')
    const page = await visit(friend, '/settings/keys')
    await page.getByLabel('Preset').selectOption('Slack')
    await page.getByText('Saved').first().waitFor()
    await page.goto(addressOf(friend, `/c/${channelId}/t/peas`))
    await list(page).getByText('Grow').waitFor()
    const isStarred = async (): Promise<boolean> =>
      (await friend.call('GET', `/messages/${id}`)).message.flags.includes('starred')
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await expect.poll(isStarred).toBe(true)
    await show(page, '/settings/keys')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
    await show(page, `/c/${channelId}/t/peas`)
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await page.keyboard.press('i')
    await page.keyboard.press('Control+Shift+a')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await isStarred()).toBe(true)
  })

  it('groups shortcuts by where they work, and opens the list of shortcuts from the account menu', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /Olivia Owner/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: /^Show keyboard shortcuts/ }).click()
    const map = page.getByRole('dialog', { name: 'Keyboard' })
    const group = (name: string) =>
      map.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await group('Writing').getByRole('term').getByText('Bold', { exact: true }).waitFor()
    const names = async (name: string): Promise<string[]> => group(name).getByRole('term').allInnerTexts()
    expect((await names('Everywhere'))[0]).toBe('Go anywhere')
    expect(await names('Everywhere')).not.toContain('Mute')
    expect(await names('Inbox')).toContain('Mute')
    await group('On the focused message').getByText('Open menu').waitFor()
    for (const keys of ['Shift+F10', 'Del', 'L'])
      await group('On the focused message').getByText(keys, { exact: true }).waitFor()
    expect(await names('Triage')).toContain('Triage: Send and mark as done')
    expect(await names('Writing')).toEqual(
      expect.arrayContaining(['Send', 'New line', 'Edit your last message, if the composer is empty']),
    )
  })

  it('lists changed shortcuts in the shortcut overview', async () => {
    const person = await createNewcomer(await team())
    const preferences = { 'web.keys.own': JSON.stringify({ 'go.recent': ['Ctrl+Alt+r'] }), 'web.density': 'nonsense' }
    await person.call('PATCH', '/preferences', { preferences })
    const page = await openPage(person)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('?')
    const map = page.getByRole('dialog', { name: 'Keyboard' })
    await map.getByRole('searchbox').fill('recent')
    await map.getByText('Ctrl+Alt+R').waitFor()
    expect(await map.getByRole('term').allTextContents()).toEqual(['Open recent conversations'])
    await map.getByRole('link', { name: 'Customize shortcuts' }).click()
    await page.getByRole('heading', { name: 'All shortcuts' }).waitFor()
    expect(await map.isVisible()).toBe(false)
  })
})

interface KeyPress {
  readonly key: string
  readonly code: string
  readonly keyCode?: number
  readonly shiftKey?: boolean
  readonly ctrlKey?: boolean
  readonly isComposing?: boolean
  readonly modifierAltGraph?: boolean
}

/** Dispatches a key event as another layout or an input method reports it. @returns whether the page handled it */
async function dispatchKeyPress(page: Page, press: KeyPress): Promise<boolean> {
  return page.evaluate((init) => {
    const options = { bubbles: true, cancelable: true, composed: true, ...init }
    // Like a pause, Control keeps successive shortcuts from counting as typed text.
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...options, key: 'Control' }))
    return document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', options)) === false
  }, press)
}

/** Keys at the positions of T, D, Shift+N, K, Q, and the emoji shortcut, as each layout reports them. */
const KEYBOARD_LAYOUTS = [
  { layout: 'Cyrillic', t: 'е', d: 'в', n: 'Т', k: 'л', q: 'й', react: { key: 'Ж', code: 'Semicolon' } },
  { layout: 'Greek', t: 'τ', d: 'δ', n: 'Ν', k: 'κ', q: ';', react: { key: ':', code: 'KeyQ' } },
  { layout: 'Hebrew', t: 'א', d: 'ג', n: 'N', k: 'ל', q: '/', react: { key: ':', code: 'Semicolon' } },
  { layout: 'Arabic', t: 'ف', d: 'ي', n: 'آ', k: 'ن', q: 'ض', react: { key: ':', code: 'Semicolon' } },
] as const

describe.skipIf(!hasBrowser)('keyboard layouts', () => {
  it.each(KEYBOARD_LAYOUTS)('runs commands by key position on a $layout layout', async ({ t, d, n, k, q, react }) => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Hello')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await list(page).getByRole('article').last().focus()
    await dispatchKeyPress(page, { key: t, code: 'KeyT' })
    await heading(page, 'Recent').waitFor()
    await dispatchKeyPress(page, { key: n, code: 'KeyN', shiftKey: true })
    await heading(page, 'Triage').waitFor()
    await dispatchKeyPress(page, { key: d, code: 'KeyD' })
    await heading(page, 'Drafts').waitFor()
    await dispatchKeyPress(page, { key: q, code: 'KeyQ' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('sidebar-filter')
    expect(await dispatchKeyPress(page, { key: t, code: 'KeyT' })).toBe(false)
    await dispatchKeyPress(page, { key: k, code: 'KeyK', ctrlKey: true })
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await show(page, `/c/${channelId}/t/beans`)
    await list(page).getByRole('article').last().focus()
    await dispatchKeyPress(page, { ...react, shiftKey: true })
    await page.getByRole('searchbox', { name: 'Search emoji' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('matches shortcuts by typed character, or by key code if the key types no Latin letter', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    // Keys of Dvorak, AZERTY, and other layouts, a third-level character, and the micro sign.
    await dispatchKeyPress(page, { key: 't', code: 'KeyK' })
    await heading(page, 'Recent').waitFor()
    await dispatchKeyPress(page, { key: 'a', code: 'KeyQ' })
    await heading(page, 'All messages').waitFor()
    for (const press of [
      { key: "'", code: 'KeyQ' },
      { key: '.', code: 'KeyE' },
      { key: ';', code: 'KeyZ', ctrlKey: true },
      { key: '@', code: 'KeyQ', keyCode: 81, modifierAltGraph: true },
      { key: 'µ', code: 'KeyI' },
    ])
      expect(await dispatchKeyPress(page, press)).toBe(false)
    expect(await dispatchKeyPress(page, { key: '÷', code: 'KeyI', shiftKey: true })).toBe(false)
    await dispatchKeyPress(page, { key: '؟', code: 'Slash', shiftKey: true })
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await dispatchKeyPress(page, { key: 't', code: 'KeyT' })
    await heading(page, 'Recent').waitFor()
    await dispatchKeyPress(page, { key: 'a', code: 'KeyA' })
    await heading(page, 'All messages').waitFor()
    await dispatchKeyPress(page, { key: '/', code: 'KeyQ', keyCode: 81 })
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('sidebar-filter')
    expect(await heading(page, 'All messages').count()).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('input methods', () => {
  /** Enter that ends a composition: Chromium reports it during the composition, Safari afterward. */
  const ENTERS = [
    { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true },
    { key: 'Enter', code: 'Enter', keyCode: 229 },
    { key: 'Process', code: 'Enter', keyCode: 229 },
    { key: 'Enter', code: 'Enter', keyCode: 13, isComposing: true },
  ]

  it('leaves the Enter key to input methods in every field', async () => {
    const made = await createTeamOn(server())
    const { owner, channelId } = made
    const id = await say(owner, channelId, 'beans', 'Hello')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    const enter = async (text: string, modifier: Partial<KeyPress> = {}): Promise<void> => {
      await page.keyboard.insertText(text)
      for (const press of ENTERS) expect(await dispatchKeyPress(page, { ...press, ...modifier })).toBe(false)
    }
    await composer(page).focus()
    await enter('こんにちは')
    await enter(' @fre')
    await enter('', { ctrlKey: true })
    expect(await composer(page).inputValue()).toBe('こんにちは @fre')
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await topic.focus()
    await enter('豆')
    expect(await topic.evaluate((field) => field === document.activeElement)).toBe(true)
    await topic.press('Escape')
    await list(page).getByRole('article').last().focus()
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Edit message' }).focus()
    await enter('変更')
    await page.getByRole('textbox', { name: 'Edit message' }).press('Escape')
    await page.getByRole('searchbox', { name: 'Filter' }).first().focus()
    await enter('gar')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await enter('garden')
    await page.keyboard.press('Escape')
    await show(page, '/search')
    await page.getByRole('combobox', { name: 'Search messages' }).focus()
    await enter('beans')
    await show(page, '/settings/profile')
    await page.getByRole('textbox', { name: 'Name' }).first().focus()
    await enter('名')
    const { message } = await owner.call('GET', `/messages/${id}`)
    expect(message.content).toBe('<p>Hello</p>')
    expect(await fetchContents(owner)).toEqual(['<p>Hello</p>'])
  })

  it('does not send the message on the Enter that ends a composition, but on the next Enter', async () => {
    const { owner, friend, channelId } = await team()
    await owner.call('PATCH', '/settings', { enter_sends: true })
    const page = await visit(owner, `/c/${channelId}/t/composed`)
    await composer(page).focus()
    const input = await page.context().newCDPSession(page)
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
    await input.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    await input.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter })
    await input.send('Input.insertText', { text: '日本' })
    await input.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
    await expect.poll(() => composer(page).inputValue()).toBe('日本')
    await page.keyboard.press('Enter')
    await expect.poll(() => fetchContents(friend)).toContain('<p>日本</p>')
    await owner.call('PATCH', '/settings', { enter_sends: false })
  })
})
