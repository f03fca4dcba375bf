import type { Sample } from './sample.ts'

const SITE = 'https://office.example'
const richTextSection = (...elements: object[]): object => ({ type: 'rich_text_section', elements })
const richText = (text: string, style: object = {}): object => ({ type: 'text', text, style })

export const SAMPLES: readonly Sample[] = [
  {
    service: 'slack_incoming',
    what: 'plain text',
    body: { channel: '#deploys', text: 'Deploy *done* <https://a.example|here> by <@U1|ann>' },
    topic: 'deploys',
    content: 'Deploy **done** [here](https://a.example) by ann',
  },
  {
    service: 'slack_incoming',
    what: 'links in marks, fields without a name or value',
    body: {
      text: '*<https://a.example/1|Graph>* and _~<https://a.example/2|gone>~_ &amp;lt;',
      attachments: [
        {
          fields: [
            { title: 'Closed', value: true },
            { title: 'By', value: null },
            { title: '', value: 'alone' },
            { title: null, value: null },
          ],
        },
        { fields: null, text: 'no fields' },
      ],
    },
    topic: 'Slack',
    content:
      '**[Graph](https://a.example/1)** and *~~[gone](https://a.example/2)~~* &lt;\n\n**Closed**: true\n**By**:\nalone\n\nno fields',
  },
  {
    service: 'slack_incoming',
    what: 'blocks and attachments',
    body: {
      text: 'for notifications',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Release 1.0' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'All _well_' },
          fields: [{ type: 'mrkdwn', text: '*Env:* prod' }],
        },
        { type: 'divider' },
        { type: 'context', elements: [{ type: 'mrkdwn', text: 'by CI' }] },
      ],
      attachments: [
        { title: 'Log', title_link: `${SITE}/log`, text: 'ok', fields: [{ title: 'Took', value: 5, short: true }] },
      ],
    },
    topic: 'Slack',
    content: `**Release 1\\.0**\n\nAll *well*\n**Env:** prod\n\n---\n\nby CI\n\n**[Log](${SITE}/log)**\nok\n**Took**: 5`,
  },
  {
    service: 'slack_incoming',
    what: 'buttons and images',
    body: {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Lift-off :rocket: at *5:30:10*' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'All _well_' },
          accessory: { type: 'button', text: { type: 'plain_text', text: 'Open :eyes:' }, url: `${SITE}/open` },
        },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'A cat' },
          accessory: { type: 'image', image_url: `${SITE}/cat.png`, alt_text: 'cute cat' },
        },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'No address' },
          accessory: { type: 'button', text: { type: 'plain_text', text: 'Press' }, value: 'x' },
        },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: { type: 'plain_text', text: 'Approve' }, value: 'x' },
            { type: 'button', text: { type: 'plain_text', text: 'Log' }, url: `${SITE}/log` },
          ],
        },
      ],
      attachments: [
        {
          text: 'ok',
          thumb_url: `${SITE}/thumb.png`,
          actions: [
            { type: 'button', text: 'Book :airplane:', url: `${SITE}/book` },
            { type: 'button', name: 'View', integration: { url: `${SITE}/view` } },
            { name: 'choice', type: 'select', text: 'Pick' },
          ],
        },
      ],
    },
    topic: 'Slack',
    content:
      '**Lift\\-off :rocket: at \\*5\\:30\\:10\\***\n\n' +
      `All *well*\n[Open :eyes:](${SITE}/open)\n\nA cat\n[cute cat](${SITE}/cat.png)\n\nNo address\n\n[Log](${SITE}/log)\n\n` +
      `ok\n[Picture](${SITE}/thumb.png)\n[Book :airplane:](${SITE}/book)`,
  },
  {
    service: 'slack_incoming',
    what: 'tables, null values',
    body: {
      text: 'for notifications',
      blocks: [
        null,
        { type: 'section', text: null, fields: null, accessory: null },
        {
          type: 'table',
          column_settings: [{ align: 'right' }, null, { align: 'constructor' }],
          rows: [
            [
              { type: 'raw_text', text: 'a | b' },
              { type: 'raw_text', text: '@**all**' },
              { type: 'raw_text', text: '' },
            ],
            [
              { type: 'raw_number', value: 1.5 },
              { type: 'rich_text', elements: [richTextSection(richText('x|y', { code: true }))] },
            ],
            null,
          ],
        },
      ],
      attachments: [
        null,
        {
          author_name: 'CI',
          author_link: `${SITE}/ci`,
          blocks: [{ type: 'table', rows: [[{ type: 'raw_text', text: 'one' }], [{ type: 'raw_text', text: 'two' }]] }],
        },
      ],
    },
    topic: 'Slack',
    content:
      '| a \\| b | \\@\\*\\*all\\*\\* |  |\n| ---: | --- | --- |\n| 1\\.5 | `x\\|y` |\n|  |\n\n' +
      `**[CI](${SITE}/ci)**\n| one |\n| --- |\n| two |`,
  },
  {
    service: 'slack_incoming',
    what: 'videos, questions, unknown blocks',
    body: {
      blocks: [
        { type: 'video', title: { type: 'plain_text', text: 'How to' }, video_url: `${SITE}/v` },
        { type: 'input', label: { type: 'plain_text', text: 'Your name' } },
        { type: 'card', title: { type: 'mrkdwn', text: '*New*' }, actions: [] },
      ],
    },
    topic: 'Slack',
    content: `**[How to](${SITE}/v)**\n\nYour name\n\n**New**`,
  },
  {
    service: 'slack_incoming',
    what: 'rich text',
    body: {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            richTextSection(
              richText('Deploy '),
              richText('done ', { bold: true }),
              richText('of *main*'),
              { type: 'emoji', name: 'tada' },
              { type: 'link', url: `${SITE}/log`, text: 'log' },
              richText(' by '),
              { type: 'user', user_id: 'U1' },
            ),
            {
              type: 'rich_text_list',
              style: 'bullet',
              indent: 0,
              elements: [
                richTextSection(richText('one')),
                richTextSection(richText('two', { italic: true, strike: true })),
              ],
            },
            {
              type: 'rich_text_list',
              style: 'ordered',
              indent: 1,
              elements: [richTextSection(richText('x = 1', { code: true }))],
            },
            { type: 'rich_text_preformatted', elements: [richText('a\n  b')] },
            { type: 'rich_text_quote', elements: [richText('said')] },
          ],
        },
        { type: 'markdown', text: 'As **it** stands' },
      ],
    },
    topic: 'Slack',
    content:
      `Deploy **done** of \\*main\\*:tada:[log](${SITE}/log) by \\@U1\n* one\n* *~~two~~*\n  1. \`x = 1\`\n` +
      '```text\na\n  b\n```\n```quote\nsaid\n```\n\nAs **it** stands',
  },
  {
    service: 'slack_incoming',
    what: "emoji by Slack's names, unknown names, code, and technical text",
    body: {
      text: ':x: :construction: :flag-no: :metal: :no_such::x: :+1::skin-tone-4: `:x:` a:x:b https://a.example/:x:',
      blocks: null,
      attachments: [
        { title: ':x: :handshake::skin-tone-2-3:', text: '```\n:x:\n```\n:smile:' },
        {
          blocks: [
            {
              type: 'rich_text',
              elements: [
                richTextSection({ type: 'emoji', name: 'thumbsup::skin-tone-2' }, { type: 'emoji', name: 'x' }),
              ],
            },
          ],
        },
      ],
    },
    topic: 'Slack',
    content:
      ':cross_mark: :work_in_progress: :norway: :sign_of_the_horns: :no_such::cross_mark: :+1: `:x:` a:x:b https://a.example/:x:\n\n' +
      '**:cross_mark: :handshake:**\n```\n:x:\n```\n:big_smile:\n\n:thumbsup::cross_mark:',
  },
  {
    service: 'slack_incoming',
    what: 'Mattermost fields, one attachment without a list',
    body: {
      username: 'CI',
      text: '**Done** [log](https://a.example)',
      attachments: {
        fallback: 'x',
        color: '#f00',
        title: 'One',
        fields: [{ short: true, title: 'Took', value: '5 s' }],
      },
      props: { attachments: [{ text: 'Two' }], card: 'More *here*' },
    },
    topic: 'Slack',
    content: '**Done** [log](https://a.example)\n\n**One**\n**Took**: 5 s\n\nTwo\n\nMore **here**',
  },
  {
    service: 'slack_incoming',
    what: 'attachments as JSON text',
    body: { attachments: '[{"text":"One"}]', blocks: '[{"type":"section","text":{"type":"mrkdwn","text":"*Two*"}}]' },
    topic: 'Slack',
    content: '**Two**\n\nOne',
  },
]
