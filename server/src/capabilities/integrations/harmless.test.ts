import { describe, expect, it } from 'vitest'
import { renderMessage } from '../../platform/markdown/render.ts'
import { authorContext, html } from '../../platform/markdown/testing/context.ts'
import { useTestServer } from '../../testing/server.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { LIMITS } from '../organizations/contract/index.ts'
import { escapeBlock } from './rules/harmless.ts'
import { quote } from './rules/text.ts'
import { messagesIn, sendAs } from './testing/sending.ts'

const server = useTestServer()

/** An author who cannot see any names, so that mentions render as written. */
const AUTHOR_WHO_SEES_NO_NAMES = {
  userByName: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
}

describe('external Markdown', () => {
  it.each([
    ['mention syntax', '@**Ann Lee** @_**Ann Lee** @*backend* #**general** #**general>x**'],
    ['escaped mention syntax', String.raw`\@**Ann Lee** \#**general** \@_*backend*`],
    ['mention syntax after an escaped backslash', String.raw`\\@**Ann Lee** \\\@**Ann Lee** \\\\#**general**`],
    ['inline code', 'see `@**Ann Lee**` and ``a`#*b*``, @*backend*\n`x`'],
    [
      'a code block',
      '```sh\necho @*backend* #**general**\n```\n@*backend*\n\n~~~\n@**Ann Lee**\n```\n~~~ \n#**general**',
    ],
    ['an unterminated code block', '@*backend*\n```\n@*backend*'],
  ])('renders external Markdown as written, without mentions: %s', async (_what, text) => {
    expect(await html(quote(text).trim())).toBe(
      await html(`\`\`\`\`quote\n${text}\n\`\`\`\``, AUTHOR_WHO_SEES_NO_NAMES),
    )
  })

  it.each([
    ['that ends with its list item', '* a\n  ```\n@**Ann Lee**\n```\n@**Ann Lee**\n```\n'],
    ['nested in other Markdown', '~~~quote\n```\n~~~\n@**Ann Lee**\n```\n'],
    ['shared by two blocks', '* `a\n* @**Ann Lee** `'],
    ['shared by two cells', '|a|b|\n|-|-|\n|`|@**Ann Lee** `|'],
    ['that starts in a URL', 'https://a.example/` @**Ann Lee** `'],
    ['that starts in a link', '[a](b`) @**Ann Lee** `'],
    ['that is escaped', '\\` @**Ann Lee** `'],
    ['with other line endings', '```\r```\r@**Ann Lee**\r```'],
  ])('escapes mentions in text that only looks like code %s', async (_what, text) => {
    const { mentionedUserIds } = await renderMessage(quote(text), authorContext())
    expect(mentionedUserIds).toEqual([])
    expect(await html(quote(text))).not.toContain('data-user-id')
  })

  it('escapes external Markdown in linear time', () => {
    for (const text of ['\\', '`', '``` ', '@*', '~~~\n', '`a', '``a`', '@*`\n'].map((one) => one.repeat(50_000))) {
      expect(escapeBlock(`${text}@*`).length).toBeGreaterThan(text.length)
    }
  })

  it('escapes a mention in a code span if truncation removes the end of the span', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const content = `\`@**all** ${'x '.repeat(LIMITS.max_message_length)}\``
    expect((await sendAs(bot, 'json', { body: { content } }, { stream: 'news' })).status).toBe(200)
    const [message] = messagesIn(await queue.events())
    expect(message?.content).toMatch(/^`\\@\*\*all\*\* x /)
    const { mentionsChannelWildcard } = await renderMessage(String(message?.content), authorContext())
    expect(mentionsChannelWildcard).toBe(false)
  })

  it('strips NUL characters from external Markdown before escaping it', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const preformatted = [{ type: 'text', text: '``\0`\n@**all**' }]
    for (const [service, body] of [
      ['json', { content: '@\0**all**' }],
      ['json', { content: String.raw`\u0000 \\u0000` }],
      [
        'slack_incoming',
        { blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: preformatted }] }] },
      ],
    ] as const) {
      expect((await sendAs(bot, service, { body }, { stream: 'news' })).status).toBe(200)
    }
    expect(messagesIn(await queue.events()).map(({ content }) => content)).toEqual([
      '\\@**all**',
      String.raw`\u0000 \\u0000`,
      '````text\n```\n@**all**\n````',
    ])
  })
})
