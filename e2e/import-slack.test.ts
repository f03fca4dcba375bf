import { expect, it, vi } from 'vitest'
import { fetchAs, PIXEL } from '../server/src/testing/files.ts'
import { importExport, fetchMessages, createZip } from './moving/converted.ts'
import { useMovingServer } from './moving/moved.ts'

/* Imports exports in Slack's format, with invented content. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const person = (id: string, name: string, more: object = {}, profile: object = {}): object => ({
  id,
  name: name.toLowerCase().replaceAll(' ', '.'),
  real_name: name,
  tz: 'Europe/Berlin',
  profile: { real_name: name, email: `${id.toLowerCase()}@harbour.example`, ...profile },
  ...more,
})

const USERS = [
  person(
    'U1',
    'Olga Owner',
    { is_owner: true, is_admin: true, is_primary_owner: true },
    { image_original: 'https://x.example/o.png' },
  ),
  person('U2', 'Kim Lee', { is_admin: true }),
  person('U3', 'Kim Lee'),
  person('U4', 'Gus Guest', { is_restricted: true }),
  person('U5', 'Gone Girl', { deleted: true }),
  person('U6', 'No Mail', {}, { email: undefined }),
  person('B1', 'Deploy Robot', { is_bot: true }, { email: undefined }),
]

const FILES = {
  'users.json': USERS,
  'channels.json': [
    {
      id: 'C1',
      name: 'general',
      created: 1_700_000_000,
      is_general: true,
      members: ['U1', 'U2', 'U3', 'U5', 'U9'],
      topic: { value: 'Ships & <https://tides.example|tides>' },
      purpose: { value: 'Everything' },
      pins: [{ id: '1700000100.000100' }],
    },
    { id: 'C2', name: 'old-days', created: 1_690_000_000, is_archived: true, members: ['U1'] },
  ],
  'groups.json': [{ id: 'G1', name: 'board', created: 1_700_000_050, members: ['U1', 'U2'] }],
  'dms.json': [{ id: 'D1', created: 1_700_000_060, members: ['U2', 'U3'] }],
  'mpims.json': [{ id: 'M1', name: 'mpdm-olga--kim--kim-1', members: ['U1', 'U2', 'U3'] }],
  'canvases.json': [{ id: 'F9' }],
  'general/2023-11-14.json': [
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U2',
      text: '<@U2> has joined the channel',
      ts: '1700000090.000100',
    },
    {
      type: 'message',
      user: 'U1',
      text: 'Hi <@U2> &amp; <@U3>, *look* at <https://tides.example/a?b=1|the _tides_> in <#C1|general> :tada: <!here>',
      ts: '1700000100.000100',
      reactions: [
        { name: '+1', users: ['U2', 'U3', 'U9'] },
        { name: 'boat', users: ['U2'] },
        { name: 'corp-secret', users: ['U2', 'U3'] },
      ],
      edited: { user: 'U1', ts: '1700000101.000000' },
    },
    {
      type: 'message',
      user: 'U2',
      text: 'Who paints the *red* hull?',
      ts: '1700000200.000100',
      thread_ts: '1700000200.000100',
      reply_count: 2,
    },
    { type: 'message', user: 'U3', text: 'I do', ts: '1700000300.000200', thread_ts: '1700000200.000100' },
    { type: 'message', user: 'U1', text: 'Second of its second', ts: '1700000300.000100' },
    {
      type: 'message',
      subtype: 'thread_broadcast',
      user: 'U2',
      text: 'Thanks',
      ts: '1700000400.000100',
      thread_ts: '1700000200.000100',
    },
    {
      type: 'message',
      user: 'U3',
      text: 'Who paints the *red* hull?',
      ts: '1700000450.000100',
      thread_ts: '1700000450.000100',
    },
    { type: 'message', subtype: 'huddle_thread', user: 'U3', text: '', ts: '1700000460.000100' },
    { type: 'message', subtype: 'me_message', user: 'U3', text: 'waves', ts: '1700000470.000100' },
  ],
  'general/2023-11-15.json': [
    {
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B77',
      username: 'Weather',
      text: '',
      ts: '1700086400.000100',
      attachments: [{ title: 'Storm', title_link: 'https://wx.example/1', text: 'Stay &lt;in&gt;' }],
    },
    {
      type: 'message',
      user: 'U2',
      text: '',
      ts: '1700086500.000100',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Ask ' },
                { type: 'user', user_id: 'U3' },
                { type: 'text', text: ' now', style: { bold: true } },
              ],
            },
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'rope' }] }],
            },
            { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'let <b> = 1' }] },
          ],
        },
      ],
    },
    { type: 'message', user: 'U1', text: 'Try ```a *b* &lt;c&gt;``` and `*x*`', ts: '1700086600.000100' },
  ],
  'board/2023-11-14.json': [
    {
      type: 'message',
      user: 'U1',
      text: 'The plan',
      ts: '1700000500.000100',
      files: [
        {
          id: 'F1234567',
          name: 'plan.txt',
          title: 'The plan',
          user: 'U1',
          url_private: 'https://files.example/plan?t=xoxe-1',
        },
        { id: 'F2234567', name: 'pixel.png', title: 'pixel.png', user: 'U1' },
        { id: 'F3234567', name: 'lost.txt', user: 'U1', url_private: 'https://files.example/lost?t=xoxe-secret' },
        { id: 'F4234567', name: 'notes', user: 'U1', filetype: 'quip' },
      ],
    },
  ],
  '__uploads/F1234567/plan.txt': 'Buy paint',
  '__uploads/F2234567/pixel.png': PIXEL,
  'emoji/boat.png': PIXEL,
  'D1/2023-11-14.json': [
    { type: 'message', user: 'U2', text: 'Between us', ts: '1700000600.000100', thread_ts: '1700000600.000100' },
    { type: 'message', user: 'U3', text: 'Sure', ts: '1700000700.000100', thread_ts: '1700000600.000100' },
  ],
  'mpdm-olga--kim--kim-1/2023-11-14.json': [{ type: 'message', user: 'U1', text: 'We three', ts: '1700000800.000100' }],
}

it('imports channels, topics, DMs, people, and reactions with unchanged access', async () => {
  const made = await importExport('slack', await createZip(FILES))
  const [olga, kim, other, guest] = [
    await made.user('U1'),
    await made.user('U2'),
    await made.user('U3'),
    await made.user('U4'),
  ]
  const { state } = await olga.register()
  const people = state.realm_users
  expect(people.map(({ full_name: name, role }) => [name, role])).toEqual(
    expect.arrayContaining([
      ['Olga Owner', 100],
      ['Kim Lee', 200],
      ['Kim Lee', 400],
      ['Gus Guest', 600],
      ['No Mail', 400],
    ]),
  )
  expect(people.find(({ full_name: name }) => name === 'No Mail')?.email).toBe('u6@slack.imported.invalid')
  const gone = state.realm_non_active_users
  expect(gone.map(({ full_name: name, is_bot: isBot }) => [name, isBot])).toEqual(
    expect.arrayContaining([
      ['Gone Girl', false],
      ['Deploy Robot', true],
      ['Weather', true],
    ]),
  )
  const channels = state.subscriptions
  expect(channels).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'general',
        description: 'Everything\nShips & [tides](https://tides.example)',
        invite_only: false,
      }),
      expect.objectContaining({ name: 'board', invite_only: true }),
    ]),
  )
  const read = await fetchMessages(olga, [{ operator: 'channel', operand: 'general' }])
  const named = (user: { id: number }, name: string): string => `@**${name}|${user.id}**`
  expect(read.map(({ subject, sender_full_name: by, content }) => [subject, by, content])).toEqual([
    [
      '',
      'Olga Owner',
      `Hi ${named(kim, 'Kim Lee')} & ${named(other, 'Kim Lee')}, **look** at [the _tides_](https://tides.example/a?b=1) in #**general** :tada: @here`,
    ],
    ['Who paints the red hull?', 'Kim Lee', 'Who paints the **red** hull?'],
    ['', 'Olga Owner', 'Second of its second'],
    ['Who paints the red hull?', 'Kim Lee', 'I do'],
    ['Who paints the red hull?', 'Kim Lee', 'Thanks'],
    ['Who paints the red hull? (2)', 'Kim Lee', 'Who paints the **red** hull?'],
    ['', 'Kim Lee', '/me waves'],
    ['', 'Weather', '> **[Storm](https://wx.example/1)**\n> Stay <in>'],
    ['', 'Kim Lee', `Ask ${named(other, 'Kim Lee')} **now**\n* rope\n\n\`\`\`\nlet <b> = 1\n\`\`\``],
    ['', 'Olga Owner', 'Try \n```\na *b* <c>\n```\n and `*x*`'],
  ])
  const [first] = read
  expect([first?.timestamp, first?.id]).toEqual([1_700_000_100, made.ids.get('message general/1700000100.000100')])
  expect(first?.reactions.map(({ emoji_name: name, reaction_type: type, user_id: by }) => [name, type, by])).toEqual([
    ['+1', 'unicode_emoji', kim.id],
    ['+1', 'unicode_emoji', other.id],
    ['boat', 'realm_emoji', kim.id],
  ])
  const [mention] = await fetchMessages(other, [{ operator: 'is', operand: 'mentioned' }], true)
  expect(mention?.content).toContain(`<span class="user-mention" data-user-id="${other.id}">@Kim Lee</span>`)
  expect(mention?.flags).toEqual(expect.arrayContaining(['read', 'mentioned']))
  // Everyone has read all messages, and can read no more than before.
  for (const user of [olga, kim, other, guest]) {
    expect((await user.register()).state['unread_msgs']).toMatchObject({ count: 0 })
  }
  const texts = async (user: typeof olga): Promise<string[]> =>
    (await fetchMessages(user)).map(({ content }) => content)
  expect(await texts(guest)).toEqual([])
  expect(await texts(kim)).toEqual(expect.arrayContaining(['Between us', 'Sure', 'We three']))
  expect(await texts(olga)).not.toContain('Between us')
  expect(await texts(other)).not.toContain('The plan')
  const direct = await fetchMessages(kim, [{ operator: 'dm', operand: [other.id] }])
  expect(direct.map(({ content }) => content)).toEqual(['Between us', 'Sure'])
  // The conversations can be continued.
  const sent = await kim.send('general', 'Who paints the red hull?', 'Done')
  expect(sent).toBeGreaterThan(Math.max(...made.ids.values()))
})

it('imports files with unchanged access, and reports data that is not imported', async () => {
  const made = await importExport('slack', await createZip(FILES))
  const [olga, kim, other] = [await made.user('U1'), await made.user('U2'), await made.user('U3')]
  const [plan] = await fetchMessages(kim, [{ operator: 'channel', operand: 'board' }])
  expect(plan?.content).toMatch(
    /^The plan\n\[The plan\]\((\/user_uploads\/\d+\/[\w/-]+\/plan\.txt)\)\n\[pixel\.png\]\(\/user_uploads\/.*\)\n\[lost\.txt\]\(https:\/\/files\.example\/lost\)$/,
  )
  const [, address = ''] = /\((\/user_uploads\/[^)]+plan\.txt)\)/.exec(plan?.content ?? '') ?? []
  expect((await fetchAs(kim, address)).bytes.toString()).toBe('Buy paint')
  expect((await fetchAs(other, address)).status).not.toBe(200)
  const [shown] = await fetchMessages(kim, [{ operator: 'channel', operand: 'board' }], true)
  expect(shown?.content).toContain('/user_uploads/thumbnail/')
  expect((await olga.call('GET', '/attachments'))['attachments']).toHaveLength(2)
  expect(Object.fromEntries(made.leftOut)).toEqual({
    'profile pictures missing from the export: people can upload them again': 1,
    'people without an email address of their own in the export: they get a placeholder address': 1,
    'bots: imported as deactivated accounts': 1,
    'channel members missing from the export': 1,
    'pinned messages: imported without the pin': 1,
    'automatic notices in channels (channel_join)': 1,
    'edited messages: only the latest text is in the export, so they do not show as edited': 1,
    'reactions with unknown emoji': 2,
    'reactions by people missing from the export': 1,
    huddles: 1,
    'bots who wrote messages but are missing from the export: created as deactivated accounts': 1,
    'files missing from the export: messages link to the originals': 1,
    canvases: 2,
    'thread replies in direct messages: now part of the conversation itself': 1,
  })
})

it('imports unusual Slack records and reports the data that is lost', async () => {
  const said = (text: string, second: number, more: object = {}): object => ({
    type: 'message',
    user: 'U1',
    text,
    ts: `17000000${10 + second}.000100`,
    ...more,
  })
  const made = await importExport(
    'slack',
    await createZip({
      'users.json': [person('U1', 'Olga Owner', { is_owner: true }, { title: 'Captain', status_text: '' })],
      'channels.json': [{ id: 'C1', name: 'general', created: 1_700_000_000, members: ['U1'] }],
      'general/2023-11-14.json': [
        said('To <@U404>, <#C404>, <!subteam^S1>, and <!subteam^S2|@crew>', 1),
        said('one\rtwo', 2, { reactions: [{ name: '+1', users: ['U1'], count: 3 }] }),
        said('uploaded', 3, { subtype: 'file_share', file: { id: 'F1234567', name: 'plan.txt' } }),
        said('Shared', 4, {
          attachments: [{ is_share: true, text: 'The plan', files: [{ id: 'F1234567', name: 'plan.txt' }] }],
        }),
      ],
      'dms.json': [{ id: 'D1', members: ['U1', 'U9'] }],
      'D1/2023-11-14.json': [
        said('Between us', 5),
        said('Sure', 6, { user: 'U9', user_profile: { real_name: 'Pat Elsewhere' } }),
      ],
      '__uploads/F1234567/plan.txt': 'Buy paint',
      '__uploads/F7654321/lost.txt': 'lost',
    }),
  )
  const olga = await made.user('U1')
  const pat = made.ids.get('user U9')
  const direct = await fetchMessages(olga, [{ operator: 'dm', operand: [pat] }])
  expect(direct.map(({ content, sender_full_name: by }) => [content, by])).toEqual([
    ['Between us', 'Olga Owner'],
    ['Sure', 'Pat Elsewhere'],
  ])
  const read = await fetchMessages(olga, [{ operator: 'channel', operand: 'general' }])
  expect(read.map(({ content }) => content.replace(/\(.*\)/, '(...)'))).toEqual([
    'To @somebody, #private-channel, @group, and @crew',
    'one\ntwo',
    'uploaded\n[plan.txt](...)',
    'Shared\n\n> The plan\n[plan.txt](...)',
  ])
  expect(Object.fromEntries(made.leftOut)).toEqual({
    'job titles, phone numbers, and statuses': 1,
    'people who wrote messages but are missing from the export: created as deactivated accounts': 1,
    'mentions of people missing from the export: replaced by @somebody': 1,
    'links to channels missing from the export: replaced by #private-channel': 1,
    'mentions of user groups without a name: replaced by @group': 1,
    'reactions by people whom the export does not name': 2,
    'files that no message links to': 1,
  })
})
