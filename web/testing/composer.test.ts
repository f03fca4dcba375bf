import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, openAs } from './browser.ts'
import { loseConnection } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, fetchContents, list, say, createTeamOn, type Team } from './team.ts'
import { showView } from './views.ts'

const { server, browser, team, visit } = useTeam({}, async (on) => {
  const made = await createTeamOn(on)
  await made.user('Greta Green')
  return made
})

const composerForm = (page: Page) => page.getByRole('form', { name: 'New message' })
const composerHeight = async (page: Page) => (await composerForm(page).boundingBox())?.height ?? 0

/** Returns a team and a page of its owner. Each test uses its own topics. */
async function teamWithPage(): Promise<Team & { readonly page: Page }> {
  const made = await team()
  return { ...made, page: await visit(made.owner, '/settings') }
}

describe.skipIf(!hasBrowser)('height of the composer', () => {
  it.each([1440, 320])(
    'keeps the composer one line high until used, and then keeps the newest message in view, at %i px',
    async (width) => {
      const { owner, friend, channelId } = await team()
      for (let number = 1; number <= 30; number += 1) await say(friend, channelId, `tall ${width}`, `Bean ${number}`)
      await owner.call('POST', '/mark_all_as_read')
      const page = await visit(owner, `/c/${channelId}/t/tall ${width}`, { viewport: { width, height: 800 } })
      const newest = list(page).getByText('Bean 30', { exact: true })
      await newest.waitFor()
      expect(await composerHeight(page)).toBeLessThanOrEqual(64)
      expect(await accessibilityFaults(page)).toEqual([])
      await composer(page).fill('Half a thought')
      await expect.poll(() => composerHeight(page)).toBeGreaterThan(100)
      const overlap = async () => {
        const [row, form] = [await newest.boundingBox(), await composerForm(page).boundingBox()]
        return (row?.y ?? 0) + (row?.height ?? 0) - (form?.y ?? 0)
      }
      await expect.poll(overlap).toBeLessThanOrEqual(0)
      await composer(page).fill('')
      await expect.poll(() => composerHeight(page)).toBeLessThanOrEqual(64)
      await page.keyboard.press('Shift+Tab')
      expect(
        await page.getByRole('combobox', { name: 'Topic' }).evaluate((field) => field === document.activeElement),
      ).toBe(true)
      expect(await composerHeight(page)).toBeGreaterThan(100)
      await showView(page, `/c/${channelId}`)
      await expect.poll(() => composerHeight(page)).toBeLessThanOrEqual(64)
    },
  )
})

describe.skipIf(!hasBrowser)('message destination', () => {
  it('changes the destination in the composer, previews the new conversation, and opens it with a key', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'peas', 'Peas are up')
    await say(friend, channelId, 'peas', 'Peas are tall')
    await say(friend, channelId, 'beans', 'Beans')
    await showView(page, `/c/${channelId}/t/beans`)
    await composer(page).fill('Half a thought')
    const topic = page.getByRole('combobox', { name: 'Topic' })
    expect(await topic.inputValue()).toBe('beans')
    const description = async () =>
      topic.evaluate((field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent)
    await topic.fill('pe')
    await expect.poll(description).toBe('New topic')
    await page.getByRole('option', { name: 'peas' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    expect(await description()).toBeUndefined()
    const peek = page.getByRole('region', { name: 'Newest messages in peas in garden' })
    await peek.getByText('Peas are tall').waitFor()
    await peek.getByText('Peas are up').waitFor()
    expect(await composer(page).inputValue()).toBe('Half a thought')
    await page.keyboard.press('Control+.')
    await page.getByRole('heading', { name: /peas/ }).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('Half a thought')
    expect(await peek.count()).toBe(0)
  })

  it('sends a message to another topic without leaving the view, then resets the destination', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'lilies', 'Beans')
    await showView(page, `/c/${channelId}/t/lilies`)
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await topic.fill('roses')
    await topic.press('Enter')
    await page.keyboard.type('The first rose')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sent to roses in garden').waitFor()
    expect(await list(page).getByText('The first rose').count()).toBe(0)
    expect(await topic.inputValue()).toBe('lilies')
    await expect.poll(() => fetchContents(friend)).toContain('<p>The first rose</p>')
    await page.getByRole('button', { name: 'Go to conversation' }).click()
    await list(page).getByText('The first rose').waitFor()
  })

  it('chooses a destination by keyboard from any view', async () => {
    const { friend, page } = await teamWithPage()
    await showView(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('x')
    const people = page.getByRole('combobox', { name: 'Add person' })
    await expect.poll(() => people.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('fred')
    await page.getByRole('option', { name: /Fred Friend/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Fred Friend' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Only you')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchContents(friend)).toContain('<p>Only you</p>')
    await list(page).getByText('Only you').waitFor()
    await showView(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('c')
    await page.keyboard.type('gard')
    await page.keyboard.press('Tab')
    await page.keyboard.type('tulips')
    await page.keyboard.press('Tab')
    await page.keyboard.type('From the inbox')
    await page.keyboard.press('Control+Enter')
    await list(page).getByRole('article').getByText('From the inbox').waitFor()
    await expect.poll(() => fetchContents(friend)).toContain('<p>From the inbox</p>')
  })

  it('restores the destination on Escape, and fits the composer on a phone screen', async () => {
    const { channelId, page } = await teamWithPage()
    await page.setViewportSize({ width: 320, height: 640 })
    await showView(page, `/c/${channelId}/t/beans`)
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await topic.fill('nothing like it')
    await topic.press('Escape')
    expect(await topic.inputValue()).toBe('beans')
    await page.getByRole('button', { name: 'Send as a direct message' }).click()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Add person' }).fill('greta')
    await page.keyboard.press('Enter')
    await page
      .getByRole('region', { name: 'Newest messages in Greta Green' })
      .getByText('Greta Green No messages yet')
      .waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.getByRole('button', { name: 'Go to conversation' }).click()
    await page.getByRole('heading', { name: 'Greta Green' }).waitFor()
  })
})

describe.skipIf(!hasBrowser)('composer input', () => {
  it('suggests people, groups, channels, topics, emoji, commands, and times', async () => {
    const { owner, friend, channelId, user, page } = await teamWithPage()
    await user('Fiona Far')
    await say(friend, channelId, 'beans', 'I am here')
    await owner.call('POST', '/user_groups/create', { name: 'fruit', description: '', members: [friend.id] })
    await showView(page, `/c/${channelId}/t/peas`)
    await showView(page, `/c/${channelId}/t/beans`)
    await list(page).getByText('I am here').waitFor()
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await composer(page).focus()
    await page.keyboard.type('@f')
    await expect.poll(() => options.allTextContents()).toHaveLength(3)
    // The author of the topic's messages is suggested first.
    expect((await options.allTextContents()).map((text) => /^(Fred Friend|fruit|Fiona Far)/.exec(text)?.[0])).toEqual([
      'Fred Friend',
      'fruit',
      'Fiona Far',
    ])
    await expect.poll(() => page.locator('[data-announcer]').textContent()).toBe('3 suggestions')
    await page.keyboard.press('ArrowDown')
    const active = await composer(page).getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).textContent()).toMatch(/^fruit/)
    await page.keyboard.press('Tab')
    await page.keyboard.type('@al')
    await options.filter({ hasText: 'Everyone in this channel: 2 people' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => options.count()).toBe(0)
    await page.keyboard.type(' #gar')
    await options.filter({ hasText: 'garden' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('#garden>be')
    await options.filter({ hasText: 'garden > beans' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(':tad')
    await options.filter({ hasText: ':tada:' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('~tomorrow 14:30')
    await expect.poll(() => options.count()).toBe(1)
    await page.keyboard.press('Enter')
    const written = await composer(page).inputValue()
    expect(written).toMatch(
      /^@\*fruit\* @al #\*\*garden\*\* #\*\*garden>beans\*\* :tada: <time:\d{4}-\d\d-\d\dT14:30:00[+-]\d\d:\d\d> $/,
    )
    await composer(page).fill('')
    await page.keyboard.type('/p')
    await options.filter({ hasText: '/poll' }).click()
    expect(await composer(page).inputValue()).toBe('/poll ')
  })

  it('completes names in languages without spaces, and escapes names in links', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await owner.subscribe(['a*b', 'c > d'], { principals: [owner.id, friend.id] })
    const ids = new Map<string, number>()
    for (const name of ['a*b', 'c > d']) {
      const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: name })
      ids.set(name, stream_id)
      await say(friend, stream_id, '`x`', 'I am here')
    }
    await showView(page, `/c/${channelId}/t/signs`)
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await composer(page).focus()
    const [starred, pointed] = [ids.get('a*b'), ids.get('c > d')]
    for (const [typed, option] of [
      ['请看#a*', 'a*b'],
      ['、#a*b>', 'a*b > `x`'],
      ['（#c >', 'c > d'],
      ['สวัสดี#c > d>', 'c > d > `x`'],
      ['「@fre', 'Fred Friend'],
      ['_@fre', 'Fred Friend'],
      ['中文:tad', ':tada:'],
      ['한국@fre', 'Fred Friend'],
      ['한국:tad', ':tada:'],
    ] as const) {
      await page.keyboard.type(typed)
      await options.filter({ hasText: option }).first().waitFor()
      await page.keyboard.press('Enter')
    }
    await page.keyboard.type('mail@fre')
    await expect.poll(() => options.count()).toBe(0)
    await page.keyboard.press('Control+Enter')
    const links = [
      [`/#narrow/channel/${starred}-a.2Ab`, '#a*b'],
      [`/#narrow/channel/${starred}-a.2Ab/topic/.60x.60`, '#a*b &gt; `x`'],
      [`/#narrow/channel/${pointed}-c-.3E-d`, '#c &gt; d'],
      [`/#narrow/channel/${pointed}-c-.3E-d/topic/.60x.60`, '#c &gt; d &gt; `x`'],
    ]
    await expect
      .poll(async () => (await fetchContents(friend)).at(-1)?.match(/<a href="[^"]*">[^<]*/g))
      .toEqual(links.map(([href, words]) => `<a href="${href}">${words}`))
    const [content = ''] = (await fetchContents(friend)).slice(-1)
    expect(content.match(/class="user-mention"/g)).toHaveLength(3)
    expect(content).toContain('emoji-1f389')
  })

  it('leaves smileys, paths, and code as text on Enter, and completes names by the start of any word', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await owner.call('PATCH', '/settings', { enter_sends: true })
    await showView(page, `/c/${channelId}/t/smileys`)
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await composer(page).focus()
    // Loads the script for completions.
    await page.keyboard.type('~')
    await options.first().waitFor()
    expect(await composer(page).getAttribute('aria-activedescendant')).toBeNull()
    await composer(page).fill('')
    const texts = [
      'Done :-P',
      'Great :-D',
      ':-*',
      ':DD',
      'cd ~',
      'see you @',
      'in C #',
      'a :ada',
      'hi @red',
      'is #arden',
      '/',
    ]
    for (const text of texts) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await expect.poll(() => composer(page).inputValue()).toBe('')
    }
    await expect.poll(async () => (await fetchTopicContents(friend, channelId, 'smileys')).length).toBe(texts.length)
    const sent = await fetchTopicContents(friend, channelId, 'smileys')
    expect(sent.join('')).not.toMatch(/emoji|mention|<time|href/)
    await composer(page).fill('```\n')
    await page.keyboard.type('@fred :tada')
    await expect.poll(() => composer(page).inputValue()).toBe('```\n@fred :tada')
    expect(await options.count()).toBe(0)
    for (const [before, typed, completed] of [
      ['', '@frie', '@**Fred Friend** '],
      ['', ':poppe', ':party_popper: '],
      ['```\nx\n```\n', '@fred', '```\nx\n```\n@**Fred Friend** '],
      ['```quote\n', '@fred', '```quote\n@**Fred Friend** '],
    ] as const) {
      await composer(page).fill(before)
      await page.keyboard.type(typed)
      await options.first().waitFor()
      await page.keyboard.press('Enter')
      expect(await composer(page).inputValue()).toBe(completed)
    }
    await composer(page).fill('')
    await page.keyboard.type('@')
    await options.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toMatch(/^@\*\*/)
    await composer(page).fill('')
    await owner.call('PATCH', '/settings', { enter_sends: false })
  })

  it('formats text with keys and buttons, and lets the browser undo formatting', async () => {
    const { channelId, page } = await teamWithPage()
    await showView(page, `/c/${channelId}/t/formats`)
    await composer(page).focus()
    await page.keyboard.type('beans')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+b')
    await expect.poll(() => composer(page).inputValue()).toBe('**beans**')
    await page.keyboard.press('Control+i')
    expect(await composer(page).inputValue()).toBe('***beans***')
    await page.keyboard.press('Control+i')
    await page.keyboard.press('Control+b')
    expect(await composer(page).inputValue()).toBe('beans')
    await page.keyboard.press('Control+z')
    expect(await composer(page).inputValue()).toBe('**beans**')
    await composer(page).fill('one\ntwo')
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'List' }).click()
    expect(await composer(page).inputValue()).toBe('* one\n* two')
    await page.getByRole('button', { name: 'List' }).press('ArrowLeft')
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('> * one\n> * two')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('listitem').filter({ hasText: 'two' }).waitFor()
    await composer(page).fill('**tall** beans')
    await preview.getByText('tall beans').waitFor()
    expect(await preview.getByRole('strong').textContent()).toBe('tall')
    await page.getByRole('button', { name: 'Preview' }).click()
  })
})

describe.skipIf(!hasBrowser)('file uploads', () => {
  const file = (name: string, bytes: number) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'x') })

  it('uploads and links files, including files dropped anywhere in a view with a composer', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await showView(page, `/c/${channelId}/t/files`)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach file' }).click()
    await (await chooser).setFiles([file('plan.txt', 100)])
    await expect.poll(() => composer(page).inputValue()).toMatch(/^\[plan\.txt\]\(\/user_uploads\/.+\)\n$/)
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'dropped.txt'))
      document.querySelector('#main')?.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true }))
    })
    await page.getByText('Drop files to send them to files in garden').waitFor()
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'dropped.txt'))
      document.querySelector('#main')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    })
    await expect.poll(() => composer(page).inputValue()).toContain('[dropped.txt](')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await fetchContents(friend)).join('')).toContain('dropped.txt')
    // Views without a composer refuse drops: otherwise, the browser would leave the client and open the file.
    for (const view of ['/inbox', '/settings/profile', '/search?q=x']) {
      await showView(page, view)
      const refused = await page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['x'], 'dropped.txt'))
        return ['dragover', 'drop'].map((type) => {
          const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
          return !document.body.dispatchEvent(event)
        })
      })
      expect([view, ...refused]).toEqual([view, true, true])
    }
  })

  it('shows why an upload failed, and retries the upload', async () => {
    const { owner, channelId } = await createTeamOn(server())
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { serviceWorkers: 'allow' })
    await composer(page).fill('See this')
    let isFull = true
    await page.route('**/user_uploads', async (route) => {
      const body = { result: 'error', code: 'INTERNAL_ERROR', msg: 'The server has no room for this file.' }
      await (isFull ? route.fulfill({ status: 507, json: body }) : route.continue())
    })
    const attach = async (): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach file' }).click()
      await (await chooser).setFiles([file('plan.txt', 100)])
    }
    await attach()
    const files = page.getByRole('list', { name: 'Files' })
    await files.getByRole('alert').filter({ hasText: 'The server has no room for this file.' }).waitFor()
    expect(await composer(page).inputValue()).toBe('See this ')
    isFull = false
    await files.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => composer(page).inputValue()).toContain('[plan.txt](/user_uploads/')
    expect(await files.count()).toBe(0)
    await loseConnection(page)
    await attach()
    await files.getByRole('alert').filter({ hasText: 'Can’t reach the server. Check your connection.' }).waitFor()
    await files.getByRole('button', { name: 'Close: plan.txt' }).click()
    await expect.poll(() => files.count()).toBe(0)
  })
})
