import { describe, expect, it } from 'vitest'
import { type TestOrganization } from '../../server/src/testing/server.ts'
import { ROLE } from '../../server/src/kernel/actor.ts'
import { hasBrowser, show } from './browser.ts'
import { composer, fetchContents, list, say, withChannel } from './team.ts'
import { useTeam } from './shared.ts'
import type { Page } from 'playwright-core'

const { team, visit, makeTeam, openPage } = useTeam()
const teamWithChannel = async () => withChannel(await team())
const warningsOn = (page: Page) => page.getByRole('list', { name: 'Before you send' })
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })

async function fetchSystemGroupId({ owner }: Pick<TestOrganization, 'owner'>, name: string): Promise<number> {
  const { user_groups: groups } = await owner.call('GET', '/user_groups')
  return groups.find((group) => group.name === name)?.id ?? 0
}

describe.skipIf(!hasBrowser)('composer warnings', () => {
  it('shows the number of notified people, and adds mentioned non-members to the channel', async () => {
    const { owner, channelId, user } = await teamWithChannel()
    const guest = await user('Gina Green')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const warnings = warningsOn(page)
    await composer(page).fill('@**all** look')
    await warnings.getByText('This notifies 2 people.').waitFor()
    await composer(page).fill('`@**all**` @**Gina Green** look')
    await warnings.getByText('Gina Green isn’t in this channel').waitFor()
    expect(await warnings.getByText('This notifies').count()).toBe(0)
    await warnings.getByRole('button', { name: 'Add them' }).click()
    await expect.poll(() => warnings.getByText('won’t be notified').count()).toBe(0)
    const { subscribers } = await owner.call('GET', `/streams/${channelId}/members`)
    expect(subscribers).toContain(guest.id)
  })

  it('neither warns of mentions in quotes and code nor makes them silent', async () => {
    const { owner, channelId } = await teamWithChannel()
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const warnings = warningsOn(page)
    const silent = [
      '```quote\nFirst\n@**all** look\n```',
      '~~~\ncode\n@**all**\n~~~',
      '````quote\n```\n@**all**\n```\n@**all**\n````',
      '```spoiler Who?\n~~~quote\n@**all**\n~~~\n```',
      '* ```\n  one\n  @**all**\n  ```',
      '> @**all**',
      '> ~~~\n> @**all**\n> ~~~',
      'Code:\n\n    @**all**',
      '``two `lines`\n@**all**``',
      '```\nopen\n@**all**',
    ]
    for (const text of silent) {
      await composer(page).fill('@**all**')
      await warnings.getByText('This notifies 2 people.').waitFor()
      await composer(page).fill(text)
      await expect.poll(() => warnings.getByText('This notifies').count()).toBe(0)
    }
    const quoted = '```quote\nFirst\n@**all** said\n```\n'
    await composer(page).fill(`${quoted}\`\`\`spoiler For @**all**\nA secret, @**all**\n\`\`\`\n@**all** look`)
    await warnings.getByRole('button', { name: 'Mention silently' }).click()
    expect(await composer(page).inputValue()).toBe(
      `${quoted}\`\`\`spoiler For @_**all**\nA secret, @_**all**\n\`\`\`\n@_**all** look`,
    )
  })

  it('warns of resolved and muted topics, and of channels that are archived or not joined', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, '✔ beans', 'Done')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: '✔ beans', visibility_policy: 1 })
    await friend.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
    const { stream_id: kitchen } = await owner.call('GET', '/get_stream_id', { stream: 'kitchen' })
    const page = await visit(owner, `/c/${channelId}/t/${encodeURIComponent('✔ beans')}`)
    const warnings = warningsOn(page)
    await composer(page).fill('Really?')
    await warnings.getByText('This topic is marked as resolved.').waitFor()
    await warnings.getByRole('button', { name: 'Unmute topic' }).click()
    await expect.poll(() => warnings.getByText('You muted this topic').count()).toBe(0)
    await show(page, `/c/${String(kitchen)}/t/lunch`)
    await warnings.getByText('You haven’t joined kitchen').waitFor()
    await warnings.getByRole('button', { name: 'Join' }).click()
    await expect.poll(() => warnings.getByRole('button').count()).toBe(0)
    await owner.call('DELETE', `/streams/${String(kitchen)}`)
    await warnings.getByText('This channel is archived.').waitFor()
    expect(await sendButton(page).isDisabled()).toBe(true)
  })

  it('lists the roles that can notify many people, and offers a silent mention', async () => {
    const { owner, friend, channel, channelId, user } = await teamWithChannel()
    const crowd = await Promise.all(Array.from({ length: 14 }, async (_, index) => user(`Person ${index}`)))
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: crowd.map(({ id }) => id),
      send_new_subscription_messages: false,
    })
    await owner.call('PATCH', '/realm', {
      can_mention_many_users_group: { new: await fetchSystemGroupId({ owner }, 'role:moderators') },
    })
    await owner.call('POST', '/user_groups/create', {
      name: 'council',
      description: '',
      members: [owner.id, friend.id],
      can_mention_group: await fetchSystemGroupId({ owner }, 'role:administrators'),
    })
    const page = await visit(friend, `/c/${channelId}/t/beans`)
    const warnings = warningsOn(page)
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await composer(page).focus()
    await page.keyboard.type('@channel')
    const denied = options.filter({
      hasText: 'Allowed: Owners, admins, and moderators · Everyone in this channel: 16 people',
    })
    await denied.waitFor()
    expect(await denied.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('@channel')
    await composer(page).fill('')
    await page.keyboard.type('@_every')
    await options.filter({ hasText: 'Everyone in this channel: 16 people' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('@_**everyone** ')
    await composer(page).fill('')
    await page.keyboard.type('@coun')
    await options.filter({ hasText: 'Allowed: Owners and admins · Group of 2 people' }).waitFor()
    await composer(page).fill('`@**all**` @**everyone** and @*council* look')
    await warnings
      .getByRole('status')
      .filter({ hasText: 'You can’t notify 16 people at once. Owners, admins, and moderators can.' })
      .getByRole('button', { name: 'Mention silently' })
      .click()
    expect(await composer(page).inputValue()).toBe('`@**all**` @_**everyone** and @*council* look')
    await warnings.getByText('You can’t mention council. Owners and admins can.').waitFor()
    await warnings.getByRole('button', { name: 'Mention silently' }).click()
    await expect.poll(() => warnings.count()).toBe(0)
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await fetchContents(owner)).join('')).toContain('user-group-mention silent')
  })

  it('warns that guests can read a message only if the organization enables the warning', async () => {
    const { owner, channel, channelId, user } = await teamWithChannel()
    const guest = await user('Gus Guest', { role: ROLE.guest })
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: [guest.id],
      send_new_subscription_messages: false,
    })
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const warnings = warningsOn(page)
    await composer(page).fill('Between us')
    await warnings.getByText('Guests can read this: Gus Guest.').waitFor()
    await warnings.getByRole('button', { name: 'Got it' }).click()
    await expect.poll(() => warnings.count()).toBe(0)
    await show(page, `/dm/${guest.id}`)
    await composer(page).fill('Hello')
    await warnings.getByText('Guests can read this: Gus Guest.').waitFor()
    await owner.call('PATCH', '/realm', { enable_guest_user_dm_warning: false })
    await expect.poll(() => warnings.count()).toBe(0)
  })

  it('shows the posting permission, and lets permitted people change it', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const everybody = await fetchSystemGroupId({ owner }, 'role:everyone')
    const nobody = await fetchSystemGroupId({ owner }, 'role:nobody')
    await owner.call('PATCH', `/streams/${channelId}`, { can_send_message_group: { new: nobody, old: everybody } })
    const path = `/c/${channelId}/t/beans`
    const page = await openPage(owner, path)
    const other = await openPage(friend, path)
    await warningsOn(other).getByText('You can’t post in this channel. No one can.').waitFor()
    expect(await warningsOn(other).getByRole('button').count()).toBe(0)
    await composer(other).fill('For later')
    expect(await sendButton(other).isDisabled()).toBe(true)
    await warningsOn(page).getByRole('button', { name: 'Change permissions' }).click()
    await page.getByRole('dialog').getByLabel('Who can post messages').selectOption('Everyone, including guests')
    await expect.poll(() => sendButton(other).isEnabled()).toBe(true)
    expect(await warningsOn(other).count()).toBe(0)
    await owner.call('PATCH', '/realm', { direct_message_permission_group: { new: nobody } })
    await show(other, `/dm/${owner.id}`)
    await warningsOn(other).getByText('You can’t send direct messages here. No one can.').waitFor()
    await composer(other).fill('Hello')
    expect(await sendButton(other).isDisabled()).toBe(true)
    await owner.call('DELETE', `/users/${friend.id}`)
    await show(page, `/dm/${friend.id}`)
    await warningsOn(page).getByText('Fred Friend left and can’t receive messages.').waitFor()
  })

  it("warns if the topic violates the channel's topic policy", async () => {
    const { owner, channelId } = await teamWithChannel()
    await owner.call('PATCH', `/streams/${channelId}`, { topics_policy: 'disable_empty_topic' })
    const page = await visit(owner, `/c/${channelId}`)
    await composer(page).fill('About nothing')
    await warningsOn(page).getByText('Messages in this channel need a topic.').waitFor()
    await sendButton(page).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Topic')
    await warningsOn(page).getByRole('button', { name: 'Choose a topic' }).click()
    await page.keyboard.type('beans')
    await page.keyboard.press('Enter')
    await expect.poll(() => sendButton(page).isEnabled()).toBe(true)
    await owner.call('PATCH', `/streams/${channelId}`, { topics_policy: 'empty_topic_only' })
    await warningsOn(page).getByText('This channel allows only the topic').waitFor()
    await warningsOn(page).getByRole('button', { name: 'Use that topic' }).click()
    await expect.poll(() => sendButton(page).isEnabled()).toBe(true)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchContents(owner)).toContain('<p>About nothing</p>')
  })

  it('does not count the prefix of a resolved topic toward the length limit', async () => {
    const { owner, channelId } = await teamWithChannel()
    const long = 'b'.repeat(60)
    const page = await visit(owner, `/c/${channelId}/t/${encodeURIComponent(`✔ ${long}`)}`)
    await composer(page).fill('Too long?')
    await expect.poll(() => sendButton(page).isEnabled()).toBe(true)
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await topic.fill(`x ${long}`)
    await page.keyboard.press('Enter')
    await warningsOn(page).getByText('Topics can have at most 60 characters.').waitFor()
    expect(await sendButton(page).isDisabled()).toBe(true)
    await warningsOn(page).getByRole('button', { name: 'Choose a topic' }).click()
    await page.keyboard.type(`${long}xx`)
    expect(await topic.inputValue()).toBe(long)
    await page.keyboard.press('Enter')
    await expect.poll(() => sendButton(page).isEnabled()).toBe(true)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchContents(owner)).toContain('<p>Too long?</p>')
  })

  it('offers to unresolve a resolved topic or switch to a moved topic, and keeps the draft', async () => {
    const { owner, friend, channel, channelId } = await teamWithChannel()
    const id = await say(friend, channelId, '✔ beans', 'Done')
    await say(friend, channelId, 'peas', 'Also here')
    const page = await visit(owner, `/c/${channelId}/t/${encodeURIComponent('✔ beans')}`)
    await composer(page).fill('Really?')
    await warningsOn(page).getByRole('button', { name: 'Mark as unresolved' }).click()
    await page.getByRole('heading', { name: /› beans/ }).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('Really?')
    await show(page, `/c/${channelId}/t/peas`)
    await list(page).getByText('Also here').waitFor()
    await friend.call('PATCH', `/messages/${id}`, { topic: 'runner beans', propagate_mode: 'change_all' })
    // The view would follow the moved topic if it were open, so the test opens another topic.
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^runner beans/ })
      .waitFor()
    await show(page, `/c/${channelId}/t/runner beans`)
    await expect.poll(() => composer(page).inputValue()).toBe('Really?')
    await show(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => composer(page).inputValue()).toBe('')
    await composer(page).fill('Why?')
    await warningsOn(page).getByText(`This topic was moved to runner beans in ${channel}.`).waitFor()
    await warningsOn(page).getByRole('button', { name: 'Use that topic' }).click()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchContents(friend)).toContain('<p>Why?</p>')
    const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    expect(messages).toMatchObject([{ subject: 'runner beans' }])
  })
})
