import { describe, expect, it } from 'vitest'
import { html } from './testing/context.ts'

const code = (text: string) => `<div class="codehilite"><pre><span></span><code>${text}</code></pre></div>`

describe('a fenced quotation', () => {
  it.each([
    ['is one', '```quote\na\n```\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
    ['may be called quoted', '~~~ quoted\na\n~~~', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['follows text', 'Ann said:\n```quote\na\n```', '<p>Ann said:</p>\n<blockquote>\n<p>a</p>\n</blockquote>'],
    ['contains Markdown', '```quote\n- *a*\n```', '<blockquote>\n<ul>\n<li><em>a</em></li>\n</ul>\n</blockquote>'],
    [
      'contains code with a language',
      '```quote\n```nope\na\n```\nb\n```\nc',
      `<blockquote>\n${code('a\n').replace('">', '" data-code-language="nope">')}\n<p>b</p>\n</blockquote>\n<p>c</p>`,
    ],
    [
      'contains code without one',
      '````quote\n```\na\n```\n````\nb',
      `<blockquote>\n${code('a\n')}\n</blockquote>\n<p>b</p>`,
    ],
    [
      'contains a quotation',
      '````quote\n```quote\na\n```\nb\n````',
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>',
    ],
    ['reaches to the end when left open', '```quote\na\n\nb', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
    [
      'stays in its list',
      '- ```quote\n  a\n  ```\n- b',
      '<ul>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n</li>\n<li>b</li>\n</ul>',
    ],
    [
      'stays in its quotation',
      '> ```quote\n> a\n\nb',
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>\n<p>b</p>',
    ],
    ['can be empty', '```quote\n```', '<blockquote></blockquote>'],
  ])('%s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })
})

describe('a spoiler', () => {
  const spoiler = (header: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">${header}</div>` +
    `<div class="spoiler-content" aria-hidden="true">${content}</div></div>`

  it.each([
    ['has a title', '```spoiler The *end*\na\n```', spoiler('\n<p>The <em>end</em></p>\n', '\n<p>a</p>\n')],
    ['needs no title', '```spoiler\na\n```', spoiler('', '\n<p>a</p>\n')],
    [
      'contains blocks',
      '```spoiler x\n- a\n```\nb',
      `${spoiler('\n<p>x</p>\n', '\n<ul>\n<li>a</li>\n</ul>\n')}\n<p>b</p>`,
    ],
    ['contains code', '````spoiler x\n```\na\n```\n````', spoiler('\n<p>x</p>\n', `\n${code('a\n')}\n`)],
    ['shows no HTML in its title', '```spoiler <b>\n```', spoiler('\n<p>&lt;b&gt;</p>\n', '')],
  ])('%s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })
})
