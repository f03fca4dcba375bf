import { describe, expect, it } from 'vitest'
import { hasBrowser, show } from './browser.ts'
import { eachComposerState, type ComposerState } from './composer-states.ts'
import { composer, fetchContents, list, createNewcomer } from './team.ts'
import { useTeam } from './shared.ts'
import { faultsInThemes, THEMES } from './usable.ts'

const { team, visit, openPage } = useTeam()

describe.skipIf(!hasBrowser)('composer insertions', () => {
  it('inserts a video call link once a video call server is set', async () => {
    const { owner, friend, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/lunch`)
    const insert = page.getByRole('button', { name: 'Insert', exact: true })
    const call = page.getByRole('menuitem', { name: 'Start video call' })
    await insert.click()
    await page.getByRole('menuitem', { name: 'Create poll' }).waitFor()
    expect(await call.count()).toBe(0)
    await page.keyboard.press('Escape')
    await show(page, '/settings/messages')
    const address = page.getByRole('textbox', { name: 'Jitsi server URL' })
    await address.fill('meet.example.org')
    await address.press('Enter')
    await page.getByRole('alert').getByText('is not a web address').waitFor()
    await address.fill('https://meet.example.org')
    await address.press('Enter')
    await expect
      .poll(async () => (await owner.register({ event_types: ['realm'] })).state['realm_jitsi_server_url'])
      .toBe('https://meet.example.org')
    await show(page, `/c/${channelId}/t/lunch`)
    await insert.click()
    await call.click()
    await expect
      .poll(() => composer(page).inputValue())
      .toMatch(/^\[Join video call\]\(https:\/\/meet\.example\.org\/[\da-f-]{36}\) $/)
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await fetchContents(friend)).at(-1))
      .toMatch(/<a href="https:\/\/meet\.example\.org\/[\da-f-]{36}">/)
    // The link opens a new tab without access to the client. The client sends no requests to the link's site.
    const link = list(page).getByRole('link', { name: 'Join video call' })
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
  })

  it('inserts polls, to-do lists, times, and saved snippets on a phone', async () => {
    const { owner, channelId } = await team()
    const path = `/c/${channelId}/t/lunch`
    const page = await visit(owner, path, { viewport: { width: 320, height: 640 } })
    const insert = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Insert', exact: true }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const dialog = page.getByRole('dialog')
    await insert('Create poll')
    await dialog.getByLabel('Question').fill('Where?')
    await dialog.getByLabel('Option 1').fill('In')
    await dialog.getByLabel('Option 2').fill('Out')
    await dialog.getByRole('button', { name: 'Send poll' }).click()
    await list(page).getByRole('button', { name: 'Out: 0 votes' }).waitFor()
    await insert('Create to-do list')
    await dialog.getByLabel('Title').fill('Move')
    await dialog.getByLabel('Task 1').fill('Boxes: Ask Ann')
    await dialog.getByLabel('Task 1').press('Control+Enter')
    await list(page).getByRole('group', { name: 'To-do list: Move' }).getByLabel('Boxes Ask Ann').waitFor()
    await insert('Insert time')
    await dialog.getByLabel('Date and time').fill('2030-05-01T09:30')
    await dialog.getByRole('button', { name: 'Insert' }).click()
    await expect.poll(() => composer(page).inputValue()).toMatch(/^<time:2030-05-01T09:30:00[+-]\d\d:\d\d> $/)
    await composer(page).fill('')
    await insert('Saved snippets')
    await dialog.getByRole('button', { name: 'Create snippet' }).click()
    await dialog.getByLabel('Name').fill('Thanks')
    await dialog.getByLabel('Text').fill('Thank you for the beans.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Edit: Thanks' }).click()
    await dialog.getByLabel('Text').fill('Thank you.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: /^Thanks/ }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Thank you.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await insert('Saved snippets')
    await dialog.getByRole('button', { name: 'Delete: Thanks' }).click()
    await dialog.getByText('Save text you use often.').waitFor()
    expect(await owner.call('GET', '/saved_snippets')).toMatchObject({ saved_snippets: [] })
  })

  it('schedules a message for a chosen date, and shows it in the conversation, the sidebar, and a list', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('Happy birthday')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem', { name: 'Choose date and time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send later' })
    await dialog.getByLabel('Date and time').fill('2020-05-01T09:30')
    await dialog.getByRole('alert').filter({ hasText: 'That time has passed.' }).waitFor()
    await dialog.getByLabel('Date and time').fill('2030-05-01T09:30')
    await page.keyboard.press('Enter')
    await page.getByText(/^Message scheduled: /).waitFor()
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({
      scheduled_messages: [{ content: 'Happy birthday', topic: 'beans' }],
    })
    await page
      .getByRole('list', { name: 'Before you send' })
      .getByText(/^1 scheduled message in this conversation/)
      .waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    const form = page.getByRole('form', { name: 'New message' })
    expect((await form.boundingBox())?.height).toBeLessThanOrEqual(64)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page
      .getByText(/^Message scheduled: /)
      .locator('..')
      .getByRole('button', { name: 'Show scheduled' })
      .click()
    await page.getByRole('heading', { name: 'Scheduled', level: 1 }).waitFor()
    const link = page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^Scheduled ?\(1\)/ })
    expect(await link.getAttribute('aria-current')).toBe('page')
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByText('No scheduled messages').waitFor()
  })
})

describe.skipIf(!hasBrowser)('line breaks in the composer', () => {
  it('continues lists and code blocks on Enter, and lets the browser undo that', async () => {
    const { owner, channelId } = await team()
    await owner.call('PATCH', '/settings', { enter_sends: true })
    const page = await visit(owner, `/c/${channelId}/t/lists`)
    await composer(page).focus()
    const press = async (key: string, text = ''): Promise<void> => {
      await page.keyboard.press(key)
      await page.keyboard.type(text)
    }
    await page.keyboard.type('9. beans')
    await press('Shift+Enter', 'peas')
    expect(await composer(page).inputValue()).toBe('9. beans\n10. peas')
    await press('Shift+Enter')
    await press('Shift+Enter', 'end')
    expect(await composer(page).inputValue()).toBe('9. beans\n10. peas\nend')
    await press('Control+z')
    await press('Control+z')
    expect(await composer(page).inputValue()).toBe('9. beans\n10. peas\n11. ')
    await composer(page).fill('')
    await page.keyboard.type('```js')
    await press('Enter', '- beans')
    await press('Shift+Enter', '```')
    expect(await composer(page).inputValue()).toBe('```js\n- beans\n```')
    await press('Enter')
    await list(page).getByText('- beans').waitFor()
    expect(await composer(page).inputValue()).toBe('')
    await owner.call('PATCH', '/settings', { enter_sends: false })
  })

  it('indents a code block in a list item to match the item, and begins the next item after the block', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/lists`)
    await composer(page).focus()
    for (const [first, next] of [
      ['- ```js', '- '],
      ['1. ```js', '2. '],
    ] as const) {
      await page.keyboard.type(first)
      for (const line of ['- beans', 'peas', '```', 'end']) {
        await page.keyboard.press('Shift+Enter')
        await page.keyboard.type(line)
      }
      const indent = ' '.repeat(first.indexOf('`'))
      expect(await composer(page).inputValue()).toBe(
        `${first}\n${indent}- beans\n${indent}peas\n${indent}\`\`\`\n${next}end`,
      )
      await composer(page).fill('')
    }
  })
})

describe.skipIf(!hasBrowser)('composer layout', () => {
  it('keeps the composer above an on-screen keyboard', async () => {
    const { owner, channelId } = await team()
    const page = await openPage(owner, `/c/${channelId}/t/beans`, { viewport: { width: 320, height: 640 } })
    const keyboard = async (height: number): Promise<void> =>
      page.evaluate((seen) => {
        Object.defineProperty(window.visualViewport, 'height', { value: seen, configurable: true })
        window.visualViewport?.dispatchEvent(new Event('resize'))
      }, height)
    const bottom = async (): Promise<number> => {
      const { y = 0, height = 0 } = (await composer(page).boundingBox()) ?? {}
      return y + height
    }
    await composer(page).focus()
    expect(await bottom()).toBeGreaterThan(500)
    await keyboard(360)
    await expect.poll(bottom).toBeLessThan(360)
    await keyboard(640)
    await expect.poll(bottom).toBeGreaterThan(500)
  })

  it('shows an accessible composer in each theme', async () => {
    const all = await team()
    const viewport = { width: 320, height: 700 }
    // The sweeps check every state in each theme.
    const inEachTheme: readonly ComposerState[] = ['warnings and suggestions', 'Create poll']
    await eachComposerState(
      all,
      async (path) => visit(all.owner, path, { viewport }),
      async (page, state) => {
        const faults = await faultsInThemes(page, inEachTheme.includes(state) ? THEMES : THEMES.slice(0, 1))
        expect([state, faults]).toEqual([state, []])
      },
    )
  })
})

describe.skipIf(!hasBrowser)('slow connections', () => {
  it('keeps text typed while a message is being scheduled, and restores a refused message', async () => {
    const { channelId } = await team()
    const owner = await createNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const held: ((isRefused: boolean) => void)[] = []
    await page.route('**/api/v1/scheduled_messages', async (route) => {
      const isRefused = await new Promise<boolean>((resolve) => {
        held.push(resolve)
      })
      const json = { result: 'error', code: 'BAD_REQUEST', msg: 'Not now.' }
      await (isRefused ? route.fulfill({ status: 400, json }) : route.continue())
    })
    const schedule = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Send later' }).click()
      await page.getByRole('menuitem', { name: 'In an hour' }).click()
      await expect.poll(() => held.length).toBe(1)
    }
    await composer(page).fill('Later')
    await schedule()
    await composer(page).fill('Meanwhile')
    held.pop()?.(false)
    await page.getByText(/^Message scheduled: /).waitFor()
    expect(await composer(page).inputValue()).toBe('Meanwhile')
    await schedule()
    held.pop()?.(true)
    await page.getByText('Not now.').waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('Meanwhile')
  })

  it('limits parallel uploads, and finishes them while another view is open', async () => {
    const { channelId } = await team()
    const owner = await createNewcomer(await team())
    const path = `/c/${channelId}/t/beans`
    const page = await openPage(owner, path)
    const held: (() => void)[] = []
    let isHolding = true
    await page.route('**/user_uploads', async (route) => {
      const isHeld = new Promise<void>((resolve) => {
        held.push(resolve)
      })
      if (isHolding) await isHeld
      await route.continue()
    })
    await composer(page).waitFor()
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      for (let number = 1; number <= 30; number++) dataTransfer.items.add(new File(['x'], `file-${number}.txt`))
      document.querySelector('#main')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    })
    await expect.poll(() => held.length).toBe(3)
    await show(page, `/c/${channelId}/t/peas`)
    await composer(page).fill('Elsewhere')
    await show(page, path)
    await expect.poll(() => composer(page).inputValue()).toContain('Uploading file-30.txt')
    expect(held.length).toBe(3)
    isHolding = false
    for (const go of held) go()
    await expect.poll(async () => (await composer(page).inputValue()).match(/\]\(\/user_uploads\//g)?.length).toBe(30)
  })
})
