import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'

const { team, visit } = useTeam()

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

async function fetchInitialState(user: TestUser) {
  return user.call('POST', '/register', { client_capabilities: { linkifier_url_template: true } })
}

const fieldOptionsSchema = z.record(z.string(), z.object({ text: z.string() }))

/** Returns the options of a dropdown field by their stored values. */
function optionsOf(field: { readonly field_data: string } | undefined): z.output<typeof fieldOptionsSchema> {
  return fieldOptionsSchema.parse(JSON.parse(field?.field_data ?? '{}'))
}

async function createBlankPicture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

describe.skipIf(!hasBrowser)('custom emoji', () => {
  it('uploads emoji under their file names or chosen names, and removes them', async () => {
    const { owner, friend } = await team()
    const names = async (): Promise<string[]> => {
      const { emoji } = await owner.call('GET', '/realm/emoji')
      return Object.values(emoji)
        .filter(({ deactivated }) => !deactivated)
        .map(({ name }) => name)
    }
    const page = await visit(friend, '/settings/emoji')
    const upload = async (file: string, buffer: Buffer): Promise<void> => {
      await page.getByLabel('Upload emoji').first().setInputFiles({ name: file, mimeType: 'image/png', buffer })
    }
    await page.getByText('No custom emoji yet').waitFor()
    await upload('Big Leaf!.png', await createBlankPicture(page))
    await page.getByText(':big_leaf:').waitFor()
    await page.getByRole('textbox', { name: 'Emoji name' }).fill('Not good')
    await upload('leaf.png', await createBlankPicture(page))
    await page
      .getByRole('alert')
      .getByText(/Emoji names must contain only/)
      .waitFor()
    await page.getByRole('textbox', { name: 'Emoji name' }).fill('leaf')
    await upload('leaf.png', await createBlankPicture(page))
    await page.getByText(':leaf:').waitFor()
    expect((await names()).toSorted()).toEqual(['big_leaf', 'leaf'])
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove :leaf:' }).press('Enter')
    await dialog(page, 'Remove :leaf:').getByRole('button', { name: 'Remove :leaf:' }).click()
    await expect.poll(names).toEqual(['big_leaf'])
  })

  it("prevents members from removing another person's emoji", async () => {
    const { friend, user } = await team()
    const third = await user('Tina Third')
    const theirs = await visit(third, '/settings/emoji')
    const page = await visit(friend, '/settings/emoji')
    const buffer = await createBlankPicture(page)
    await page.getByLabel('Upload emoji').first().setInputFiles({ name: 'leaf.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Remove :leaf:' }).waitFor()
    await theirs.getByText(':leaf:').waitFor()
    expect(await theirs.getByRole('button', { name: 'Remove :leaf:' }).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('linkifiers', () => {
  it('previews a linkifier, and creates, edits, reorders, and removes it', async () => {
    const { owner } = await team()
    const patterns = async (): Promise<string[]> =>
      (await fetchInitialState(owner)).realm_linkifiers.map(({ pattern }) => pattern)
    const page = await visit(owner, '/settings/links')
    await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('#(?P<id>[0-9]+)')
    await page.getByRole('textbox', { name: /^URL/ }).fill('https://example.com/{id}')
    await page.getByRole('textbox', { name: /^Try it/ }).fill('See #12')
    const result = page.getByRole('group', { name: 'Result' })
    await expect
      .poll(() => result.getByRole('link', { name: '#12' }).getAttribute('href'))
      .toBe('https://example.com/12')
    expect(await patterns()).toEqual([])
    await page.getByRole('button', { name: 'Add linkifier', exact: true }).click()
    await page.getByRole('button', { name: 'Edit #(?P<id>[0-9]+)' }).waitFor()
    await result.getByRole('link', { name: '#12' }).waitFor()
    await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('(unclosed')
    await page.getByRole('textbox', { name: /^URL/ }).fill('https://example.com/{id}')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('T(?P<id>[0-9]+)')
    await page.keyboard.press('Enter')
    await expect.poll(patterns).toEqual(['#(?P<id>[0-9]+)', 'T(?P<id>[0-9]+)'])
    await page.getByRole('button', { name: 'Move T(?P<id>[0-9]+) up' }).press('Enter')
    await expect.poll(patterns).toEqual(['T(?P<id>[0-9]+)', '#(?P<id>[0-9]+)'])
    await page.getByRole('button', { name: 'Edit T(?P<id>[0-9]+)' }).click()
    await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('TT(?P<id>[0-9]+)')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(patterns).toEqual(['TT(?P<id>[0-9]+)', '#(?P<id>[0-9]+)'])
    await page.getByRole('button', { name: 'Remove TT(?P<id>[0-9]+)' }).click()
    await expect.poll(patterns).toEqual(['#(?P<id>[0-9]+)'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(patterns).toEqual(['TT(?P<id>[0-9]+)', '#(?P<id>[0-9]+)'])
  })
})

describe.skipIf(!hasBrowser)('code playgrounds', () => {
  it('creates a code playground, removes it, and undoes the removal', async () => {
    const { owner } = await team()
    const names = async (): Promise<string[]> =>
      (await fetchInitialState(owner)).realm_playgrounds.map(({ name }) => name)
    const page = await visit(owner, '/settings/playgrounds')
    await page.getByLabel('Name').fill('Snakes')
    await page.getByLabel('Language').fill('Python')
    await page.getByLabel('URL').fill('nowhere')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('URL').fill('https://example.com/{code}')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['Snakes'])
    await page.getByRole('button', { name: 'Remove Snakes' }).click()
    await expect.poll(names).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(names).toEqual(['Snakes'])
  })
})

describe.skipIf(!hasBrowser)('tool access', () => {
  it('limits AI tools to chosen channels, and turns off tool access for the organization', async () => {
    const { owner, channelId } = await team()
    await owner.subscribe(['cellar'], { invite_only: true })
    const cellar = (await owner.call('GET', '/get_stream_id', { stream: 'cellar' }))['stream_id']
    const access = async (): Promise<unknown> => {
      const { access: chosen, stream_ids } = await owner.call('GET', '/tool_access')
      return [chosen, stream_ids]
    }
    const page = await visit(owner, '/settings/tools')
    await page.getByText(/^AI tools are assistants .* to http:.*\/mcp /).waitFor()
    const boxes = page.getByRole('group', { name: 'Channels that AI tools can access' })
    await expect.poll(() => boxes.getByLabel('garden', { exact: true }).isChecked()).toBe(true)
    expect(await boxes.getByLabel('cellar', { exact: true }).isChecked()).toBe(false)
    await boxes.getByLabel('cellar', { exact: true }).click()
    await expect.poll(access).toEqual(['channels', [channelId, cellar]])
    await expect.poll(() => boxes.getByLabel('cellar', { exact: true }).isChecked()).toBe(true)
    await page.keyboard.press('Control+z')
    await expect.poll(access).toEqual(['channels', [channelId]])
    await expect.poll(() => boxes.getByLabel('cellar', { exact: true }).isChecked()).toBe(false)
    const select = page.getByLabel('Tool access', { exact: true })
    await select.selectOption('nothing')
    await expect.poll(access).toEqual(['nothing', [channelId]])
    await boxes.waitFor({ state: 'detached' })
  })
})

describe.skipIf(!hasBrowser)('profile fields', () => {
  it('creates, edits, reorders, and deletes profile fields, and keeps chosen values of a renamed option', async () => {
    const { owner, friend } = await team()
    const fields = async () => (await owner.call('GET', '/realm/profile_fields')).custom_fields
    const page = await visit(owner, '/settings/profile-fields')
    await page.getByRole('button', { name: 'Create profile field' }).press('Enter')
    const making = dialog(page, 'Create profile field')
    await making.getByLabel('Name').fill('Tool')
    await making.getByLabel('Type').selectOption('Dropdown')
    await making.getByRole('textbox', { name: 'Option 1' }).fill('Spade')
    await making.getByRole('button', { name: 'Add option' }).click()
    await making.getByRole('textbox', { name: 'Option 2' }).fill('Rake')
    await making.getByLabel('Let people edit this field').uncheck()
    await making.getByRole('button', { name: 'Create profile field' }).click()
    await page.getByRole('button', { name: 'Edit Tool' }).waitFor()
    const [made] = await fields()
    const spade = Object.entries(optionsOf(made)).find(([, { text }]) => text === 'Spade')?.[0]
    await owner.call('PATCH', `/users/${friend.id}`, { profile_data: [{ id: made?.id, value: spade }] })
    await page.getByRole('button', { name: 'Edit Tool' }).click()
    await dialog(page, 'Edit Tool').getByRole('textbox', { name: 'Option 1' }).fill('Small spade')
    await dialog(page, 'Edit Tool').getByRole('button', { name: 'Save' }).click()
    await dialog(page, 'Edit Tool').waitFor({ state: 'detached' })
    expect(optionsOf((await fields())[0])[spade ?? '']?.text).toBe('Small spade')
    const { user } = await owner.call('GET', `/users/${friend.id}`, { include_custom_profile_fields: true })
    expect(user).toMatchObject({ profile_data: { [String(made?.id)]: { value: spade } } })
    await owner.call('POST', '/realm/profile_fields', { name: 'Shed', field_type: 1 })
    await page.getByRole('button', { name: 'Move Shed up' }).press('Enter')
    await expect.poll(async () => (await fields()).map(({ name }) => name)).toEqual(['Shed', 'Tool'])
    await page.getByRole('button', { name: 'Delete field: Shed' }).click()
    await dialog(page, 'Delete field').getByRole('button', { name: 'Delete field' }).click()
    await expect.poll(async () => (await fields()).map(({ name }) => name)).toEqual(['Tool'])
  })
})

describe.skipIf(!hasBrowser)('default channels', () => {
  it('adds and removes default channels, and undoes the removal', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, '/settings/default-channels')
    await page.getByText('New people don’t join any channels.').waitFor()
    await page.getByRole('combobox', { name: 'Choose channel' }).selectOption('garden')
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await page.getByText('garden added to default channels', { exact: true }).waitFor()
    const defaults = async () => (await fetchInitialState(owner)).realm_default_streams
    expect(await defaults()).toEqual([channelId])
    await page.getByRole('button', { name: 'Remove garden' }).click()
    await expect.poll(defaults).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(defaults).toEqual([channelId])
  })
})
