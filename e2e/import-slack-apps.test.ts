import { expect, it, vi } from 'vitest'
import { importExport, fetchMessages, createZip } from './moving/converted.ts'
import { useMovingServer } from './moving/moved.ts'

/* Messages of Slack apps keep their blocks, tables, and attachments. All content is invented. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const USERS = [
  { id: 'U1', real_name: 'Olga Owner', is_owner: true, profile: { email: 'u1@harbour.example' } },
  { id: 'U3', real_name: 'Kim Lee', profile: { email: 'u3@harbour.example' } },
]
const section = (...elements: object[]): object => ({ type: 'rich_text_section', elements })
const words = (text: string, style: object = {}): object => ({ type: 'text', text, style })
const markup = (text: string): object => ({ type: 'mrkdwn', text })
const BUILD = { type: 'plain_text', text: 'Build 7 :tada:', emoji: true }
const TABLE = {
  type: 'table',
  column_settings: [{ is_wrapped: true }, { align: 'right' }],
  rows: [
    [
      { type: 'raw_text', text: 'Ship | boat' },
      { type: 'raw_text', text: 'Tons' },
    ],
    [
      { type: 'rich_text', elements: [section(words('Anna', { bold: true }), { type: 'user', user_id: 'U3' })] },
      { type: 'raw_number', value: 5, text: '5' },
    ],
    [{ type: 'raw_text', text: 'two\nlines' }],
  ],
}

/** Messages of apps, with the Markdown that they become. */
const APP_MESSAGES: readonly (readonly [what: string, message: object, content: string])[] = [
  [
    'a text that stands for blocks in notifications',
    {
      text: 'Build 7 ended, <@U1>',
      blocks: [
        { type: 'header', text: BUILD },
        {
          type: 'section',
          text: markup('All _well_ for <@U3>'),
          fields: [markup('*Took* 5 s'), markup('*On* <https://ci.example/1|one>')],
          accessory: { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://ci.example/7' },
        },
        { type: 'divider' },
        {
          type: 'context',
          elements: [{ type: 'image', image_url: 'https://ci.example/a.png', alt_text: 'CI' }, markup('by *CI*')],
        },
      ],
    },
    '**Build 7 :tada:**\n\nAll *well* for @KIM\n**Took** 5 s\n**On** [one](https://ci.example/1)\n[Open](https://ci.example/7)\n\n---\n\n[CI](https://ci.example/a.png) by **CI**',
  ],
  [
    'a text that the blocks say again',
    { text: 'Disk is *full*', blocks: [{ type: 'section', text: markup('Disk is *full*') }] },
    'Disk is **full**',
  ],
  [
    'a table beside a text',
    { text: 'Two ships', blocks: [{ type: 'section', text: markup('Two ships') }, TABLE] },
    'Two ships\n\n| Ship \\| boat | Tons |\n| --- | ---: |\n| **Anna**@KIM | 5 |\n| two lines |',
  ],
  [
    'a table in an attachment',
    { text: 'Two ships', attachments: [{ blocks: [TABLE], fallback: '[no preview available]' }] },
    'Two ships\n\n> | Ship \\| boat | Tons |\n> | --- | ---: |\n> | **Anna**@KIM | 5 |\n> | two lines |',
  ],
  [
    'all parts of an attachment beside a text',
    {
      text: 'Alert',
      attachments: [
        {
          pretext: 'On *web1*',
          author_name: 'Monitor',
          author_link: 'https://mon.example',
          title: 'CPU [high]',
          title_link: 'https://mon.example/(1)',
          text: 'Load is *9*',
          fields: [
            { title: 'Host', value: 'web1', short: true },
            { title: 'Load', value: 9 },
          ],
          actions: [
            { type: 'button', text: 'Silence', url: 'https://mon.example/s' },
            { type: 'button', text: 'No address' },
          ],
          image_url: 'https://mon.example/graph.png',
          footer: 'Monitor 2',
          fallback: 'CPU high',
        },
        null,
      ],
    },
    'Alert\n\nOn **web1**\n> **[Monitor](https://mon.example)**\n> **[CPU \\[high\\]](https://mon.example/%281%29)**\n> Load is **9**\n> **Host**: web1\n> **Load**: 9\n> [Picture](https://mon.example/graph.png)\n> [Silence](https://mon.example/s)\n> Monitor 2',
  ],
  [
    'rich text of every kind',
    {
      text: 'short',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            section(
              words('To ', { bold: true }),
              { type: 'broadcast', range: 'here' },
              words(' and '),
              { type: 'channel', channel_id: 'C1' },
              words('\n'),
              words('two\nlines', { italic: true }),
              { type: 'emoji', name: 'wave', skin_tone: 3 },
              { type: 'color', value: '#FF0000' },
              { type: 'date', timestamp: 1_700_000_000, format: '{date}', fallback: 'Nov 14' },
              { type: 'date', timestamp: 1_700_000_000 },
              { type: 'usergroup', usergroup_id: 'S1' },
              { type: 'user', user_id: 'U404' },
              words('a`b', { code: true }),
              { type: 'link', url: 'https://x.example', text: 'x', style: { bold: true } },
            ),
            { type: 'rich_text_list', style: 'ordered', offset: 2, elements: [section(words('three\nmore'))] },
            { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(words('below'))] },
            section(words('After the list')),
            { type: 'rich_text_quote', elements: [words('said\nso')] },
            section(words('After the quotation')),
            { type: 'rich_text_preformatted', elements: [words('a\n```\nb')] },
          ],
        },
      ],
    },
    '**To** @here and #**general**\n*two*\n*lines*:wave:#FF0000Nov 142023-11-14 22:13@group@somebody``a`b``**[x](https://x.example)**\n3. three\n  more\n  * below\n\nAfter the list\n> said\n> so\n\nAfter the quotation\n\n````\na\n```\nb\n````',
  ],
  [
    'pictures, videos, Markdown, questions and buttons',
    {
      blocks: [
        {
          type: 'image',
          image_url: 'https://x.example/i.png',
          alt_text: 'alt',
          title: { type: 'plain_text', text: 'I' },
        },
        { type: 'image', slack_file: { url: 'https://files.example/i.png' }, alt_text: 'stored' },
        {
          type: 'video',
          title: { type: 'plain_text', text: 'V' },
          title_url: 'https://x.example/v',
          video_url: 'https://x.example/v.mp4',
          description: { type: 'plain_text', text: 'How to' },
        },
        { type: 'markdown', text: '## As **it** stands' },
        { type: 'input', label: { type: 'plain_text', text: 'Your name' } },
        { type: 'file', external_id: 'x', source: 'remote' },
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' }, url: 'https://x.example' }],
        },
        {
          type: 'hologram',
          title: { type: 'plain_text', text: 'New' },
          elements: [{ type: 'x', text: markup('*kind*') }],
        },
      ],
    },
    '[I](https://x.example/i.png)\n\n[stored](https://files.example/i.png)\n\n**[V](https://x.example/v)**\nHow to\n\n## As **it** stands\n\nYour name\n\n[Go](https://x.example)\n\nNew\n**kind**',
  ],
  [
    'buttons alone beside a text',
    { text: 'Shall I?', blocks: [{ type: 'actions', elements: [{ type: 'button', text: BUILD, value: 'x' }] }] },
    'Shall I?',
  ],
  [
    'a shared message, the words of an app about a link, and a preview',
    {
      text: 'See <https://x.example>',
      attachments: [
        { from_url: 'https://s.example/p1', is_msg_unfurl: true, author_name: 'Kim', text: 'The *plan*' },
        {
          from_url: 'https://j.example/1',
          app_unfurl_url: 'https://j.example/1',
          is_app_unfurl: true,
          title: 'HARB-1',
        },
        { from_url: 'https://x.example', title: 'X', text: 'A page', service_name: 'X' },
      ],
    },
    'See https://x.example\n\n> **Kim**\n> The **plan**\n\n> **HARB-1**',
  ],
]

it('imports blocks, tables, and attachments of apps without importing the same text twice', async () => {
  const messages = APP_MESSAGES.map(([, message], index) => ({
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B77',
    username: 'Robot',
    ts: `170000${1_000 + index}.000100`,
    ...message,
  }))
  const path = await createZip({
    'users.json': USERS,
    'channels.json': [{ id: 'C1', name: 'general', created: 1_700_000_000, members: ['U1', 'U3'] }],
    'general/2023-11-14.json': messages,
  })
  const made = await importExport('slack', path)
  const [olga, kim] = [await made.user('U1'), await made.user('U3')]
  const read = await fetchMessages(olga, [{ operator: 'channel', operand: 'general' }])
  const named = `@**Kim Lee|${kim.id}**`
  expect(APP_MESSAGES.map(([what], index) => [what, read[index]?.content])).toEqual(
    APP_MESSAGES.map(([what, , content]) => [what, content.replaceAll('@KIM', named)]),
  )
  // Hidden text mentions no one.
  expect(await fetchMessages(olga, [{ operator: 'is', operand: 'mentioned' }])).toEqual([])
  const [, , html] = await fetchMessages(olga, [{ operator: 'channel', operand: 'general' }], true)
  expect(html?.content.match(/<t[dh][ >]/g)).toHaveLength(6)
  expect(html?.content).toContain(`data-user-id="${kim.id}"`)
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'notification texts of app messages: the visible blocks are imported instead': 2,
    'link previews: only the links are imported': 1,
    'message attachments in an unknown format': 1,
    'blocks of app messages of an unknown kind (hologram)': 1,
  })
})
