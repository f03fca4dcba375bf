import { describe, expect, it } from 'vitest'
import { html } from './testing/context.ts'

const code = (text: string) => `<div class="codehilite"><pre><span></span><code>${text}</code></pre></div>`

describe('fenced quotations', () => {
  it.each([
    ['a fenced quotation', '```quote\na\n```\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
    ['a quotation fenced as quoted', '~~~ quoted\na\n~~~', '<blockquote>\n<p>a</p>\n</blockquote>'],
    [
      'a quotation after text',
      'Ann said:\n```quote\na\n```',
      '<p>Ann said:</p>\n<blockquote>\n<p>a</p>\n</blockquote>',
    ],
    [
      'Markdown in a quotation',
      '```quote\n- *a*\n```',
      '<blockquote>\n<ul>\n<li><em>a</em></li>\n</ul>\n</blockquote>',
    ],
    [
      'code with a language in a quotation',
      '```quote\n```nope\na\n```\nb\n```\nc',
      `<blockquote>\n${code('a\n').replace('">', '" data-code-language="nope">')}\n<p>b</p>\n</blockquote>\n<p>c</p>`,
    ],
    [
      'code without a language in a quotation',
      '````quote\n```\na\n```\n````\nb',
      `<blockquote>\n${code('a\n')}\n</blockquote>\n<p>b</p>`,
    ],
    [
      'a quotation in a quotation',
      '````quote\n```quote\na\n```\nb\n````',
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>',
    ],
    ['an unclosed quotation to the end', '```quote\na\n\nb', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
    [
      'a quotation within a list item',
      '- ```quote\n  a\n  ```\n- b',
      '<ul>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n</li>\n<li>b</li>\n</ul>',
    ],
    [
      'an unclosed quotation within a quotation',
      '> ```quote\n> a\n\nb',
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>\n<p>b</p>',
    ],
    ['an empty quotation', '```quote\n```', '<blockquote></blockquote>'],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })
})

describe('spoilers', () => {
  const spoiler = (header: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">${header}</div>` +
    `<div class="spoiler-content" aria-hidden="true">${content}</div></div>`

  it.each([
    ['a spoiler with a title', '```spoiler The *end*\na\n```', spoiler('\n<p>The <em>end</em></p>\n', '\n<p>a</p>\n')],
    ['a spoiler without a title', '```spoiler\na\n```', spoiler('', '\n<p>a</p>\n')],
    [
      'blocks in a spoiler',
      '```spoiler x\n- a\n```\nb',
      `${spoiler('\n<p>x</p>\n', '\n<ul>\n<li>a</li>\n</ul>\n')}\n<p>b</p>`,
    ],
    ['code in a spoiler', '````spoiler x\n```\na\n```\n````', spoiler('\n<p>x</p>\n', `\n${code('a\n')}\n`)],
    ['HTML in a spoiler title as text', '```spoiler <b>\n```', spoiler('\n<p>&lt;b&gt;</p>\n', '')],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })
})
