import { describe, expect, it } from 'vitest'
import { html } from '../testing/context.ts'
import { documentToMarkdown } from './document.ts'
import { jiraToMarkdown } from './wiki.ts'

const OPEN_TASK = 'todo'.toUpperCase()

const NAMES: Readonly<Record<string, string>> = { '5b10': 'Ann Lee', ann: 'Ann Lee' }
const nameOf = (account: string): string | undefined => (Object.hasOwn(NAMES, account) ? NAMES[account] : undefined)

describe('Jira wiki markup', () => {
  it.each([
    ['*bold* _italic_ -struck- +new+ {{code}}', '**bold** *italic* ~~struck~~ new `code`'],
    ['*_both_* and in{*}side{*}s', '***both*** and in**side**s'],
    ['snake_case_name, 2*3*4, well-known, a - b - c', 'snake_case_name, 2\\*3\\*4, well-known, a - b - c'],
    ['_a_b_ and -well-known-', '*a_b* and ~~well-known~~'],
    ['\\*not bold\\* and \\{not} that\\!', '\\*not bold\\* and {not} that\\!'],
    ['one\\\\two', 'one\ntwo'],
    ['@*all* and #_x_', '\\@all and \\#x'],
    ['{{a`b}} {{x {*} y}} {{\\*}}', '``a`b`` `x {*} y` `*`'],
    ['{*}alone', '{\\*}alone'],
    ['{color:#ff0000}red{color}&nbsp;(/) (x) f(x)', 'red ✅ ❌ f(x)'],
    ['`tick` <b> $$x$$ a|b ~~~ # ! [x]', '\\`tick\\` \\<b> \\$\\$x\\$\\$ a\\|b \\~\\~\\~ \\# ! \\[x\\]'],
    [
      '[Jira|https://a.example/x] [https://a.example] https://a.example/b_c*d',
      '[Jira](https://a.example/x) [https://a.example](https://a.example/) https://a.example/b_c%2Ad',
    ],
    ['[https://a.example/x|https://a.example/x|smart-link]', '[https://a.example/x](https://a.example/x)'],
    [
      '[mail|mailto:a@b.example] [*bold*|https://a.example/(x)]',
      '[mail](mailto:a@b.example) [**bold**](https://a.example/%28x%29)',
    ],
    ['[run|javascript:alert(1)] [^log.txt] [here|#below]', 'run `log.txt` here'],
    [
      '!shot 1.png|width=200! !https://a.example/p.png! wow!so!much',
      '`shot 1.png` [Picture](https://a.example/p.png) wow!so!much',
    ],
    ['[~accountid:5b10] [~ann] [~ben] [~accountid:9]', '@Ann Lee @Ann Lee @ben @somebody'],
    ['h1. Title\n\ntext\nh3. _Part_', '# Title\n\ntext\n\n### *Part*'],
    ['bq. said\nmore', '> said\n\nmore'],
    ['a\n----\nb', 'a\n\n---\n\nb'],
    ['* one\n** two\n*# three\n- four\n# five\n#* six', '* one\n  * two\n  1. three\n* four\n1. five\n   * six'],
    ['*** deep\nand on', '* deep\nand on'],
    [
      '> no quote\n+ no list\n# no\\\\heading\n-- no\n1. x',
      '\\> no quote\n\\+ no list\n1. no\n   heading\n\\-- no\n1. x',
    ],
    ['a{code:python}\ndef f():\n    return *x*\n{code}b', 'a\n\n```python\ndef f():\n    return *x*\n```\n\nb'],
    ['{code:title=a.py|python}x{code}', '**a.py**\n\n```python\nx\n```'],
    ['{code}```{code}', '````text\n```\n````'],
    ['{code:quote}@**all**{code}', '```text\n@**all**\n```'],
    ['{noformat}\n  *as* it {code} is\n{noformat}', '```text\n  *as* it {code} is\n```'],
    ['{quote}\none\n\n{code}x{code}\n{quote}\ntwo', '> one\n>\n> ```text\n> x\n> ```\n\ntwo'],
    ['{panel:title=Note|borderStyle=solid}\nread\n{panel}', '> **Note**\n>\n> read'],
    ['{code} never ends', '{code} never ends'],
    ['||a||b||\n|1|[x|https://a.example]|\nend', '| a | b |\n| --- | --- |\n| 1 | [x](https://a.example/) |\n\nend'],
    ['|1|{{a}} \\| b|', '|  |  |\n| --- | --- |\n| 1 | `a` \\| b |'],
    ['a\r\nb', 'a\nb'],
    ['https://a.example/{{b}} and {{c}}{{d}}', 'https://a.example/ `b` and `c``d`'],
    ['', ''],
  ])('converts %j to Markdown', (source, expected) => {
    expect(jiraToMarkdown(source, nameOf)).toBe(expected)
  })

  it('renders converted Jira markup as Jira does', async () => {
    expect(await html(jiraToMarkdown('x{*}y{*}z *a.* {*}b.{*}c {{@*x*}} _-both-_'))).toBe(
      '<p>x<strong>y</strong>z <strong>a.</strong> b.c <code>@*x*</code> <em><del>both</del></em></p>',
    )
  })
})

const paragraph = (...content: object[]): object => ({ type: 'paragraph', content })
const text = (words: string, ...marks: object[]): object => ({ type: 'text', text: words, marks })
const marked = (type: string, attrs: object = {}): object => ({ type, attrs })
const documentOf = (...content: unknown[]): object => ({ type: 'doc', version: 1, content })

describe('Jira Cloud documents', () => {
  it.each([
    [[paragraph(text('a '), text('bold ', marked('strong'), marked('em')), text('b*c'))], 'a ***bold*** b\\*c'],
    [[paragraph(text('x', marked('code')), { type: 'hardBreak' }, text('- y', marked('strike')))], '`x`\n~~- y~~'],
    [
      [paragraph(text('site', marked('link', { href: 'https://a.example' })), text(' https://a.example/x_y'))],
      '[site](https://a.example/) https://a.example/x_y',
    ],
    [
      [
        paragraph(
          { type: 'mention', attrs: { id: '5b10', text: '@Annie' } },
          text(' '),
          { type: 'mention', attrs: { id: '9', text: '@Ben' } },
          text(' '),
          { type: 'emoji', attrs: { shortName: ':tada:' } },
          text(' '),
          { type: 'inlineCard', attrs: { url: 'https://a.example/c' } },
          text(' '),
          { type: 'date', attrs: { timestamp: '1582152559000' } },
          text(' '),
          { type: 'status', attrs: { text: 'DONE' } },
        ),
      ],
      '@Ann Lee @Ben :tada: https://a.example/c 2020-02-19 `DONE`',
    ],
    [[{ type: 'heading', attrs: { level: 2 }, content: [text('Title')] }, paragraph(text('b'))], '## Title\n\nb'],
    [
      [
        {
          type: 'bulletList',
          content: [
            {
              type: 'listItem',
              content: [
                paragraph(text('one')),
                { type: 'orderedList', content: [{ type: 'listItem', content: [paragraph(text('two'))] }] },
              ],
            },
            {
              type: 'listItem',
              content: [{ type: 'codeBlock', attrs: { language: 'js' }, content: [text('a\n  b')] }],
            },
          ],
        },
      ],
      '* one\n  1. two\n* ```js\n  a\n    b\n  ```',
    ],
    [
      [{ type: 'taskList', content: [{ type: 'taskItem', attrs: { state: 'DONE' }, content: [text('did')] }] }],
      '* ☑ did',
    ],
    [
      [{ type: 'blockquote', content: [paragraph(text('q')), paragraph(text('r'))] }, { type: 'rule' }],
      '> q\n>\n> r\n\n---',
    ],
    [
      [
        {
          type: 'table',
          content: [
            { type: 'tableRow', content: [{ type: 'tableHeader', content: [paragraph(text('a|b'))] }] },
            {
              type: 'tableRow',
              content: [{ type: 'tableCell', content: [paragraph(text('1')), paragraph(text('2'))] }],
            },
          ],
        },
      ],
      '| a\\|b |\n| --- |\n| 1 2 |',
    ],
    [[{ type: 'expand', attrs: { title: 'More' }, content: [paragraph(text('in'))] }], '**More**\n\nin'],
    [
      [
        {
          type: 'mediaSingle',
          content: [
            { type: 'media', attrs: { id: 'x', type: 'file', alt: 'shot 1.png' } },
            { type: 'caption', content: [text('Before')] },
          ],
        },
        { type: 'mediaGroup', content: [{ type: 'media', attrs: { id: 'x', type: 'file' } }] },
        {
          type: 'mediaSingle',
          content: [{ type: 'media', attrs: { type: 'external', url: 'https://a.example/p.png' } }],
        },
        { type: 5 },
        null,
      ],
      '`shot 1.png`\n\nBefore\n\n(a file)\n\n[Picture](https://a.example/p.png)',
    ],
    [
      [
        paragraph(
          text('see '),
          { type: 'mediaInline', attrs: { id: 'x', alt: 'log.txt' } },
          text(', '),
          { type: 'unknownInline', content: [text('the *rest*')] },
          text(' and '),
          { type: 'placeholder', attrs: { text: 'a *name*' } },
        ),
      ],
      'see `log.txt`, the \\*rest\\* and a \\*name\\*',
    ],
    [
      [
        {
          type: 'taskList',
          content: [
            { type: 'taskItem', attrs: { state: OPEN_TASK }, content: [text('one')] },
            {
              type: 'taskList',
              content: [{ type: 'blockTaskItem', attrs: { state: 'DONE' }, content: [paragraph(text('two'))] }],
            },
          ],
        },
      ],
      '* ☐ one\n  * ☑ two',
    ],
  ])('converts the document %j to Markdown', (content, expected) => {
    expect(documentToMarkdown(documentOf(...content), nameOf)).toBe(expected)
  })
})
