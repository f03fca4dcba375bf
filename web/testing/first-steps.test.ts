import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { makeSetupLink } from '../../server/src/capabilities/setup/actions.ts'
import { ROLE } from '../../server/src/kernel/actor.ts'
import { twoColorPng } from '../../server/src/platform/pages/identicon.ts'
import { sendFiles } from '../../server/src/testing/files.ts'
import { accessibilityFaults, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, createChannel, say } from './team.ts'

const { server, browser, makeTeam, openPage, openStranger } = useTeam()
const HINT_OPTIONS = { hasHints: true }

const checklist = (page: Page) => page.getByRole('region', { name: 'First steps' })
const introduction = (page: Page) => page.getByRole('region', { name: 'Welcome to Hill & Valley' })
const step = (page: Page, name: string) => checklist(page).getByRole('listitem').filter({ hasText: name })
const button = (page: Page, name: string) => checklist(page).getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })

const PASSWORD = 'seven purple elephants'

async function createSetupLink(name: string): Promise<string> {
  const { database, url } = server().parley
  const subdomain = `s${randomUUID().slice(0, 8)}`
  const token = await database.transaction(async (db) => makeSetupLink(db, subdomain, name))
  return `http://${subdomain}.localhost:${new URL(url).port}/setup#${token}`
}

/** Clicks into each field that has no caret yet, like people who do not use the Tab key. */
async function fillFields(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(answers)) {
    const field = page.getByLabel(label, { exact: true })
    await field.waitFor()
    if (!(await field.evaluate((one) => one === document.activeElement))) await field.click()
    await page.keyboard.type(text)
  }
}

async function setUp(page: Page): Promise<void> {
  await page.goto(await createSetupLink('Hill & Valley'))
  await page.getByLabel('Your name').fill('Olivia Owner')
  await page.getByLabel('Email address').fill('olivia@hill.example')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create organization', exact: true }).click()
}

const ICON = twoColorPng(
  [
    [0, 0, 0],
    [255, 255, 255],
  ],
  [
    [true, false],
    [false, true],
  ],
)

async function expectFocusOnTopic(page: Page): Promise<void> {
  const topic = page.getByRole('combobox', { name: 'Topic' })
  await expect.poll(async () => topic.evaluate((field) => field === document.activeElement)).toBe(true)
}

/** Answers the browser's question about notifications, which the test browser would block without asking. */
async function answerNotificationQuestion(page: Page, answer: NotificationPermission): Promise<void> {
  await page.addInitScript((given) => {
    let permission: NotificationPermission = 'default'
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => Promise.resolve((permission = given))
  }, answer)
}

describe.skipIf(!hasBrowser)('first steps of an owner', () => {
  it('guides an owner from setup through inviting a colleague to starting a first topic', async () => {
    const page = await openStranger({ permissions: ['clipboard-read', 'clipboard-write'] })
    await answerNotificationQuestion(page, 'granted')
    await setUp(page)
    await checklist(page).getByText('0 of 5 done').waitFor()
    await row(page, 'Notification Bot').filter({ hasText: 'Welcome to Hill & Valley, Olivia Owner.' }).waitFor()
    expect(await page.getByRole('button', { name: 'Got it' }).count()).toBe(0)
    await button(page, 'Copy invite link').click()
    await page.getByText('Copied').waitFor()
    const link = await page.evaluate(async () => navigator.clipboard.readText())
    expect(await checklist(page).getByLabel('Invite link').inputValue()).toBe(link)
    await step(page, 'Invite people').getByText('done').waitFor()
    await button(page, 'Turn on notifications').click()
    await checklist(page).getByText('2 of 5 done').waitFor()
    await button(page, 'Show me how').click()
    await checklist(page).getByText('On a computer: choose').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    const other = await openStranger()
    await other.goto(link)
    await other.getByLabel('Email address').fill('ada@hill.example')
    await other.getByLabel('Your name').fill('Ada New')
    await other.getByLabel('Password').fill('eleven tiny umbrellas')
    await other.getByRole('button', { name: 'Join' }).click()
    await introduction(other)
      .getByRole('link', { name: /^Olivia Owner/ })
      .waitFor()
    await row(other, 'Notification Bot').filter({ hasText: 'Welcome to Hill & Valley, Ada New.' }).waitFor()
    await row(page, 'Notification Bot').filter({ hasText: 'Ada New accepted your invitation' }).waitFor()

    await button(page, 'Start topic').click()
    await expectFocusOnTopic(page)
    await page.keyboard.type('lunch')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Soup or salad?')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => composer(page).inputValue()).toBe('')
    await show(page, '/inbox')
    await checklist(page).getByText('4 of 5 done').waitFor()
  })

  it("needs at most 12 clicks from the setup link to a second person's reply", async () => {
    const page = await openStranger({ permissions: ['clipboard-read', 'clipboard-write'] })
    const other = await openStranger({ permissions: [] })
    let clicks = 0
    for (const one of [page, other]) {
      await one.exposeFunction('countClick', () => (clicks += 1))
      // `detail` is 0 for clicks by keyboard.
      await one.addInitScript(
        `addEventListener('click', ({ detail }) => detail > 0 && countClick(), { capture: true })`,
      )
    }
    await page.goto(await createSetupLink(''))
    await fillFields(page, { 'Organization name': 'Hill & Valley', 'Your name': 'Olivia Owner' })
    await fillFields(page, { 'Email address': 'olivia@hill.example', Password: PASSWORD })
    await page.getByRole('button', { name: 'Create organization', exact: true }).click()
    await button(page, 'Copy invite link').click()
    await page.getByText('Copied').waitFor()
    await button(page, 'Start topic').click()
    await expectFocusOnTopic(page)
    await page.keyboard.type('lunch')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Where should we eat?')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'lunch', level: 1 }).waitFor()
    await other.goto(await page.evaluate(async () => navigator.clipboard.readText()))
    await fillFields(other, { 'Email address': 'ada@hill.example', 'Your name': 'Ada New', Password: PASSWORD })
    await other.getByRole('button', { name: 'Join', exact: true }).click()
    await introduction(other).getByRole('link', { name: 'general' }).click()
    await row(other, 'lunch').click()
    await other.getByRole('article').filter({ hasText: 'Where should we eat?' }).waitFor()
    await other.keyboard.type('At the lake!')
    await other.keyboard.press('Enter')
    await page.getByRole('article').filter({ hasText: 'At the lake!' }).waitFor()
    expect(clicks).toBeGreaterThan(5)
    expect(clicks).toBeLessThanOrEqual(12)
  })

  it('marks a first step as done in every browser, however the owner completes it', async () => {
    const { owner, channelId } = await makeTeam()
    const page = await openPage(owner, '/inbox', { ...HINT_OPTIONS, permissions: ['notifications'] })
    await step(page, 'Invite people').getByText('done').waitFor()
    expect(await step(page, 'Notifications').count()).toBe(0)
    await say(owner, channelId, 'beans', 'They sprout')
    await step(page, 'First topic').getByText('done').waitFor()
    await button(page, 'Add icon').click()
    await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
    await show(page, '/inbox')
    await button(page, 'Show me how').click()
    await step(page, 'Apps').getByText('done').waitFor()
    const other = await openAs(browser(), owner, '/inbox', HINT_OPTIONS)
    for (const name of ['Invite people', 'First topic', 'Apps']) await step(other, name).getByText('done').waitFor()
    expect(await step(other, 'Name and icon').getByText('done').count()).toBe(0)
    expect((await sendFiles(owner, '/realm/icon', [{ name: 'icon.png', content: ICON }])).status).toBe(200)
    for (const one of [page, other]) await step(one, 'Name and icon').getByText('done').waitFor()
    await checklist(page).getByText('4 of 4 done').waitFor()
    await page.reload()
    await page.getByText('1 unread message in 1 conversation').waitFor()
    expect(await checklist(page).count()).toBe(0)
  })

  it('explains in the first steps that the browser blocks notifications', async () => {
    const page = await openStranger()
    await answerNotificationQuestion(page, 'denied')
    await setUp(page)
    await button(page, 'Turn on notifications').click()
    await step(page, 'Notifications').getByText('Your browser blocks notifications.').waitFor()
    expect(await checklist(page).getByText('0 of 5 done').count()).toBe(1)
  })

  it('hides dismissed first steps in every browser unless the person undoes the dismissal', async () => {
    const { owner } = await makeTeam()
    const page = await openPage(owner, '/inbox', HINT_OPTIONS)
    const other = await openAs(browser(), owner, '/inbox', HINT_OPTIONS)
    for (const one of [page, other]) await checklist(one).waitFor()
    await button(page, 'Dismiss').press('Enter')
    for (const one of [page, other]) await checklist(one).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    await page.getByText('You’re all caught up').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    for (const one of [page, other]) await checklist(one).waitFor()
    await button(page, 'Dismiss').click()
    await other.getByText('You’re all caught up').waitFor()
    await other.reload()
    await other.getByText('You’re all caught up').waitFor()
    expect(await checklist(other).count()).toBe(0)
  })

  it('creates an invite link only if no existing link can be reused', async () => {
    const { owner } = await makeTeam()
    const page = await openPage(owner, '/inbox', {
      ...HINT_OPTIONS,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const links = async (): Promise<number> => (await owner.call('GET', '/invites'))['invites'].length
    await checklist(page).waitFor()
    expect(await links()).toBe(0)
    for (const count of [1, 1]) {
      await button(page, 'Copy invite link').click()
      await page.getByText('Copied').first().waitFor()
      expect(await links()).toBe(count)
    }
    const copied = async (): Promise<string> => page.evaluate(async () => navigator.clipboard.readText())
    const revoked = await copied()
    const [invite] = (await owner.call('GET', '/invites'))['invites']
    await owner.call('DELETE', `/invites/multiuse/${String(invite?.['id'])}`)
    await button(page, 'Copy invite link').click()
    await expect.poll(copied).not.toBe(revoked)
    expect(await links()).toBe(1)
    await page.reload()
    expect(await checklist(page).getByLabel('Invite link').inputValue()).toBe(await copied())
  })
})

describe.skipIf(!hasBrowser)('introduction of a new person', () => {
  it('introduces a new person to people, busy channels, and ways to write a first message', async () => {
    const { owner, friend, user, channelId } = await makeTeam()
    const nora = await user('Nora New')
    await nora.subscribe(['garden'])
    await createChannel(owner, 'empty')
    const news = await createChannel(owner, 'news', [friend])
    await createChannel(owner, 'secret', [friend], { invite_only: true })
    for (const topic of ['beans', 'peas']) await say(owner, channelId, topic, 'They sprout')
    await say(owner, news, 'weather', 'Rain')
    const page = await openPage(nora, '/inbox', HINT_OPTIONS)
    const names = async (): Promise<string[]> => introduction(page).getByRole('link').allInnerTexts()
    await introduction(page).waitFor()
    expect(await names()).toEqual(['Olivia Owner', 'Fred Friend', 'garden', 'news', 'empty'])
    expect(await accessibilityFaults(page)).toEqual([])
    await introduction(page).getByRole('button', { name: 'Join: news' }).click()
    await page.getByText('Joined news').waitFor()
    expect(await introduction(page).getByRole('button', { name: 'Join: news' }).count()).toBe(0)
    await introduction(page)
      .getByRole('link', { name: /^Fred Friend/ })
      .click()
    await page.getByRole('textbox', { name: 'Message to Fred Friend' }).waitFor()
    await show(page, '/inbox')

    await introduction(page).getByRole('button', { name: 'Write your first message' }).press('Enter')
    await page.getByRole('heading', { name: 'garden' }).waitFor()
    await expectFocusOnTopic(page)
    await page.keyboard.type('hello')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Here I am')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => fetchContents(friend)).toContain('<p>Here I am</p>')
    await show(page, '/inbox')
    await page
      .getByRole('main')
      .getByText(/caught up|unread/)
      .first()
      .waitFor()
    expect(await introduction(page).count()).toBe(0)
  })

  it('introduces a guest only to people and channels that the guest can see', async () => {
    const { owner, friend, user, channelId } = await makeTeam()
    await createChannel(owner, 'open', [friend])
    const gus = await user('Gus Guest', { role: ROLE.guest })
    await owner.subscribe(['garden'], { principals: [gus.id] })
    const hidden = await user('Hanna Hidden')
    const { user_groups } = await owner.call('GET', '/user_groups')
    const members = user_groups.find(({ name }) => name === 'role:members')
    await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: members?.['id'] } })
    await say(owner, channelId, 'beans', 'They sprout')
    const page = await openPage(gus, '/inbox', HINT_OPTIONS)
    await introduction(page).waitFor()
    expect(await introduction(page).getByRole('link').allInnerTexts()).toEqual([
      'Olivia Owner',
      'Fred Friend',
      'garden',
    ])
    expect(await page.getByText(hidden.email).count()).toBe(0)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await introduction(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await row(page, 'garden').waitFor()
    expect(await introduction(page).count()).toBe(0)
  })
})
