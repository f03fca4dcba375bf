import { expect, it } from 'vitest'
import { useTestServer } from '../../../testing/server.ts'
import { snippetOf } from './snippet.ts'

const server = useTestServer()

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
  }
  for (const [content, expected] of Object.entries(snippets)) {
    const { rendered } = await owner.call('POST', '/messages/render', { content })
    expect([content, snippetOf(rendered, 200)]).toEqual([content, expected])
  }
})

it('truncates a snippet with an ellipsis, never within a character, tag, or entity', () => {
  expect(snippetOf('<p>hello</p>', 5)).toBe('hello')
  expect(snippetOf('<p>hello world</p>', 5)).toBe('hell…')
  expect(snippetOf(`<p>${'🙂'.repeat(10)}</p>`, 3)).toBe('🙂🙂…')
  expect(snippetOf('<p>cut <span class="user-men', 20)).toBe('cut')
  expect(snippetOf('<p>hidden <div class="spoiler-content">what', 20)).toBe('hidden')
})
