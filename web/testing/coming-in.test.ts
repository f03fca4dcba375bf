import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useCommandLine } from '../../server/src/testing/command-line.ts'
import { linkIn, useMailServer } from '../../server/src/testing/mail-server.ts'
import { hasBrowser, openWindow, useBrowser } from './browser.ts'

const commandLine = useCommandLine()
const mails = await useMailServer()
const browser = useBrowser()
const PASSWORD = 'seven purple elephants'

async function newPage(): Promise<Page> {
  return (await openWindow(browser())).newPage()
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const person = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'All people' }).getByRole('button', { name })

/** Closes the hint for people who are new, which comes to everybody here. */
async function closeHint(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Got it' }).click()
  await page.getByRole('button', { name: 'Got it' }).waitFor({ state: 'detached' })
}

/** Makes an account on the page that an invitation leads to. */
async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('button', { name: new RegExp(name) }).waitFor()
  await closeHint(page)
}

/** Gives oneself a picture, drawn by the browser. */
async function setPicture(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/settings/profile`)
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  const picture = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') }
  await page.getByLabel('Upload a picture').first().setInputFiles(picture)
  await page.getByRole('button', { name: 'Remove the picture' }).waitFor()
}

describe.skipIf(!hasBrowser)('a new server', () => {
  it('is set up by the link that it prints, and people come, are given what they need, and leave', async () => {
    const parley = await commandLine()
    const server = await parley.stay('start', { PARLEY_SMTP_URL: mails.url, PARLEY_ORGANIZATION: 'Hill & Valley' })
    const [, link = ''] = /^Set it up {2}(\S+)$/m.exec(server.stdout()) ?? []
    const { url } = server

    const owner = await newPage()
    await owner.goto(link)
    expect(await owner.getByLabel('Name of the organization').inputValue()).toBe('Hill & Valley')
    await owner.getByLabel('Your name').fill('Olivia Owner')
    await owner.getByLabel('E-mail address').fill('olivia@hill.example')
    await owner.getByLabel('Password').fill('eleven tiny umbrellas')
    await owner.getByRole('button', { name: 'Set up', exact: true }).click()
    const linkForMany = await owner.getByLabel('Link that invites').inputValue()
    await owner.getByRole('link', { name: 'Go to Hill & Valley' }).click()
    await owner.getByRole('button', { name: /Olivia Owner/ }).waitFor()
    await closeHint(owner)

    // Two are invited by e-mail.
    await owner.goto(`${url}/settings/invitations`)
    await owner.getByRole('button', { name: 'Invite people' }).click()
    const inviting = dialog(owner, 'Invite people')
    await inviting.getByLabel('E-mail addresses').fill('nora@hill.example, nils@hill.example')
    await inviting.getByRole('button', { name: 'Invite', exact: true }).click()
    await owner.getByText('2 people are invited').waitFor()
    const pages: Page[] = []
    for (const [name, address] of [
      ['Nora North', 'nora@hill.example'],
      ['Nils Nord', 'nils@hill.example'],
    ] as const) {
      const page = await newPage()
      await page.goto(linkIn(await mails.next(address)))
      await page.getByText('Olivia Owner invites you to Hill & Valley.').waitFor()
      await join(page, name)
      pages.push(page)
    }
    // One comes by the link for many, and confirms the address first.
    const late = await newPage()
    await late.goto(linkForMany)
    await late.getByLabel('E-mail address').fill('lena@hill.example')
    await late.getByRole('button', { name: 'Send me the link' }).click()
    await late.goto(linkIn(await mails.next('lena@hill.example')))
    await join(late, 'Lena Late')
    pages.push(late)
    for (const page of pages) {
      await page
        .getByRole('navigation', { name: 'Conversations' })
        .getByRole('link', { name: /^general/ })
        .waitFor()
      await setPicture(page, url)
    }

    // Each is given a role, of which it hears at once, and one is removed.
    await owner.goto(`${url}/settings/people`)
    await owner.getByText('4 people').waitFor()
    for (const [name, role] of [
      ['Nora North', 'Administrator'],
      ['Nils Nord', 'Moderator'],
      ['Lena Late', 'Guest'],
    ] as const) {
      await person(owner, new RegExp(name)).click()
      await dialog(owner, name).getByRole('combobox', { name: 'Role' }).selectOption(role)
      await owner.keyboard.press('Escape')
      await person(owner, new RegExp(`${name}.*${role}`)).waitFor()
    }
    const [nora, nils] = pages
    if (nora === undefined || nils === undefined) throw new Error('nobody came')
    await nora.goto(`${url}/settings/people`)
    await person(nora, /Nils Nord/).click()
    await dialog(nora, 'Nils Nord').getByRole('button', { name: 'Deactivate account' }).click()
    await dialog(nora, 'Deactivate account').getByRole('button', { name: 'Deactivate account' }).click()
    await dialog(nora, 'Nils Nord').getByRole('button', { name: 'Reactivate account' }).waitFor()
    await nils.getByLabel('Password').fill(PASSWORD)
    await nils.getByLabel('E-mail address').fill('nils@hill.example')
    await nils.getByRole('button', { name: 'Sign in', exact: true }).click()
    await nils.getByRole('alert').filter({ hasText: 'Your account is deactivated.' }).waitFor()

    // The printed link has long been used.
    const stranger = await newPage()
    await stranger.goto(link)
    await stranger.getByRole('heading', { name: 'This link is no longer good' }).waitFor()
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  })
})
