import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { makeSetupLink } from '../../server/src/capabilities/setup/actions.ts'
import { hasBrowser, VIEWPORT } from './browser.ts'
import { useTeam } from './shared.ts'
import { faultsInThemes } from './usable.ts'

const { server, openStranger } = useTeam()

async function createSetupLink(name = ''): Promise<string> {
  const { database, url } = server().parley
  const subdomain = `s${randomUUID().slice(0, 8)}`
  const token = await database.transaction(async (db) => makeSetupLink(db, subdomain, name))
  return `http://${subdomain}.localhost:${new URL(url).port}/setup#${token}`
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Organization name').fill('Hill & Valley')
  await page.getByLabel('Your name').fill('Olivia Owner')
  await page.getByLabel('Email address').fill('olivia@hill.example')
  await page.getByLabel('Password').fill('seven purple elephants')
}

const passwordRating = (page: Page) => page.getByRole('status')
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })

describe.skipIf(!hasBrowser)('organization setup', () => {
  it('sets up an organization on one page, and creates an invite link', async () => {
    const link = await createSetupLink()
    const page = await openStranger()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Set up your organization' }).waitFor()
    await fillIn(page)
    await page.getByLabel('Channel 1', { exact: true }).fill('yard')
    await page.getByRole('button', { name: 'Remove channel 2' }).click()
    await page.getByRole('button', { name: 'Create organization', exact: true }).click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/inbox')
    const invitation = await page.getByLabel('Invite link').inputValue()
    await page
      .getByText(
        'open only on the computer that runs Parley. To let others join, start Parley with an address that they can reach',
      )
      .first()
      .waitFor()

    const other = await openStranger()
    await other.goto(invitation)
    await other.getByText('Olivia Owner invited you to Hill & Valley.').waitFor()
    await other.getByLabel('Email address').fill('fred@hill.example')
    await other.getByLabel('Your name').fill('Fred Friend')
    await other.getByLabel('Password').fill('eleven tiny umbrellas')
    await other.getByRole('button', { name: 'Join' }).click()
    await sidebar(other)
      .getByRole('link', { name: /^off-topic/ })
      .waitFor()

    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
    for (const name of [/^yard/, /^off-topic/]) await sidebar(page).getByRole('link', { name }).waitFor()
    expect(await sidebar(page).getByRole('link', { name: 'announcements' }).count()).toBe(0)
    const late = await openStranger()
    await late.goto(link)
    await late.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    expect(await late.getByRole('textbox').count()).toBe(0)
  })

  it('creates only the channels that the owner chose', async () => {
    const page = await openStranger()
    await page.goto(await createSetupLink('Suggested'))
    expect(await page.getByLabel('Organization name').inputValue()).toBe('Suggested')
    await fillIn(page)
    for (let left = 3; left > 0; left -= 1) {
      await page.getByRole('button', { name: 'Remove channel 1' }).click()
    }
    expect(await page.getByRole('button', { name: /Remove channel/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByLabel('Channel 1', { exact: true }).fill('only this')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('button', { name: 'Create organization', exact: true }).click()
    await sidebar(page)
      .getByRole('link', { name: /^only this/ })
      .waitFor()
    expect(await sidebar(page).getByRole('link', { name: 'general' }).count()).toBe(0)
  })

  it('rates the password, and refuses a password that is easy to guess', async () => {
    const page = await openStranger()
    const link = await createSetupLink()
    await page.goto(link)
    await fillIn(page)
    await passwordRating(page).filter({ hasText: 'Very hard to guess.' }).waitFor()
    await page.getByLabel('Password').fill('olivia-owner')
    await passwordRating(page).filter({ hasText: 'contains your name' }).waitFor()
    await page.getByRole('button', { name: 'Create organization', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor()
    expect(page.url()).toBe(link)
    await page.getByLabel('Password').fill('seven purple elephants')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
  })

  it('rejects a missing or guessed setup token', async () => {
    const page = await openStranger()
    const guessed = (await createSetupLink()).replace(/#.*/, `#${'x'.repeat(43)}`)
    for (const address of [guessed, guessed.replace(/#.*/, '')]) {
      await page.goto('about:blank')
      await page.goto(address)
      await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
      expect(await page.getByRole('textbox').count()).toBe(0)
    }
  })

  it('shows the setup page in German', async () => {
    const page = await openStranger({ locale: 'de-DE' })
    await page.goto(await createSetupLink())
    await page.getByRole('heading', { name: 'Organisation einrichten' }).waitFor()
    expect(await page.getByLabel('Kanal 1', { exact: true }).inputValue()).toBe('allgemein')
    await page.getByLabel('Name der Organisation').fill('Berg & Tal')
    await page.getByLabel('Dein Name').fill('Olivia Owner')
    await page.getByLabel('E-Mail-Adresse').fill('olivia@hill.example')
    await page.getByLabel('Passwort').fill('seven purple elephants')
    await page.getByRole('button', { name: 'Organisation erstellen', exact: true }).click()
    await page.getByRole('main').getByRole('heading', { name: 'Eingang' }).waitFor()
    await page.getByRole('region', { name: 'Erste Schritte' }).getByText('Andere einladen').waitFor()
  })

  it('shows the setup page accessibly and without scrolling in every theme and width', async () => {
    const page = await openStranger()
    await page.goto(await createSetupLink())
    await fillIn(page)
    await passwordRating(page).filter({ hasText: 'hard to guess' }).waitFor()
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect([width, await faultsInThemes(page)]).toEqual([width, []])
    }
    await page.setViewportSize(VIEWPORT)
  })
})
