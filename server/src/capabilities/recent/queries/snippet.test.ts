import { expect, it } from 'vitest'
import { useTestServer } from '../../../testing/server.ts'
import { snippetOf } from './snippet.ts'

const server = useTestServer()

const TIME_FORMAT = { language: 'en', timeZone: '', uses24Hours: false }

it('shows the beginning of a message as plain text without spoilers', async () => {
  const { owner } = await server().organization()
  const snippets: Record<string, string> = {
    'Some **bold** _words_ and `code`': 'Some bold words and code',
    '# Title\n\nText\nand more': 'Title Text and more',
    '* one\n* two': 'one two',
    'a < b & "c" > d': 'a < b & "c" > d',
    '```spoiler The end\nEverybody dies\n```\nand so on': 'The end and so on',
    '```quote\nA question\n```\nAn answer': 'An answer',
    '```quote\nA question\n```': 'A question',
    '```quote\nouter\n> inner\n```\nAn answer': 'An answer',
    ':smile: hello :france:!': '🙂 hello 🇫🇷!',
    ':tada:': '🎉',
    '[a link](https://example.com/?a=b)': 'a link',
    'before $$x^2$$ after': 'before after',
    '```js\nlet x = 1 < 2\n```': 'let x = 1 < 2',
    'Until <time:2026-01-02T03:04:05+01:00>, please': 'Until Fri, Jan 2, 2026, 2:04 AM UTC, please',
  }
  for (const [content, expected] of Object.entries(snippets)) {
    const { rendered } = await owner.call('POST', '/messages/render', { content })
    expect([content, snippetOf(rendered, 200, TIME_FORMAT)]).toEqual([content, expected])
  }
})

it('truncates a snippet with an ellipsis, never within a character, tag, or entity', () => {
  expect(snippetOf('<p>hello</p>', 5, TIME_FORMAT)).toBe('hello')
  expect(snippetOf('<p>hello world</p>', 5, TIME_FORMAT)).toBe('hell…')
  expect(snippetOf(`<p>${'🙂'.repeat(10)}</p>`, 3, TIME_FORMAT)).toBe('🙂🙂…')
  expect(snippetOf('<p>cut <span class="user-men', 20, TIME_FORMAT)).toBe('cut')
  expect(snippetOf('<p>hidden <div class="spoiler-content">what', 20, TIME_FORMAT)).toBe('hidden')
})

it("shows times in the reader's language and time zone", () => {
  const html = '<p>At <time datetime="2026-01-02T13:04:05Z">2026-01-02T13:04:05Z</time>!</p>'
  const berlin = { language: 'de', timeZone: 'Europe/Berlin', uses24Hours: true }
  expect(snippetOf(html, 50, berlin)).toBe('At Fr., 2. Jan. 2026, 14:04!')
  expect(snippetOf('<p>At <time datetime="soon">soon</time>!</p>', 50, berlin)).toBe('At soon!')
})
