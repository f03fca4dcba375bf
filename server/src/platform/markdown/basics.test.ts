import { describe, expect, it } from 'vitest'
import { html } from './testing/context.ts'

type Row = readonly [promise: string, source: string, expected: string]

function table(rows: readonly Row[]): void {
  it.each(rows)('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })
}

describe('Markdown text', () => {
  table([
    ['a line as a paragraph', 'hi', '<p>hi</p>'],
    ['empty text as nothing', '', ''],
    ['text without surrounding whitespace', '  \n\n hi \n\n ', '<p>hi</p>'],
    ['every line break', 'a\nb', '<p>a<br>\nb</p>'],
    ['Windows line breaks', 'a\r\nb', '<p>a<br>\nb</p>'],
    ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
    [
      'emphasis',
      '*a* **b** ***c*** ~~d~~',
      '<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <del>d</del></p>',
    ],
    ['emphasis with underscores', '_a_ __b__', '<p><em>a</em> <strong>b</strong></p>'],
    ['underscores inside words unchanged', 'snake_case_name', '<p>snake_case_name</p>'],
    ['escaped characters unchanged', '\\*a\\* \\`b\\`', '<p>*a* `b`</p>'],
    ['lone marks unchanged', '* a ** b ~ c', '<ul>\n<li>a ** b ~ c</li>\n</ul>'],
    ['quotation marks and dashes as typed', `"a" -- 'b'...`, `<p>&quot;a&quot; -- 'b'...</p>`],
  ])
})

describe('Markdown blocks', () => {
  table([
    ['headings', '# a\n###### b\n#c', '<h1>a</h1>\n<h6>b</h6>\n<p>#c</p>'],
    ['a line above dashes as a paragraph', 'a\n---\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    ['lists', '- a\n- b\n  - c', '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>'],
    ['lists with blank lines between items', '* a\n\n* b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
    ['a list right after text', 'a:\n- b', '<p>a:</p>\n<ul>\n<li>b</li>\n</ul>'],
    ['numbered lists', '3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['task list boxes as text', '- [ ] a\n- [x] b', '<ul>\n<li>[ ] a</li>\n<li>[x] b</li>\n</ul>'],
    ['quotes', '> a\n> b\n\nc', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<p>c</p>'],
    [
      'tables',
      'a | b\n--|:-:\n1 | *2*',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: center;">b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align: center;"><em>2</em></td>\n</tr>\n</tbody>\n</table>',
    ],
    ['rules', 'a\n\n***\n\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
  ])
})

describe('emphasis next to Chinese, Japanese, and Korean', () => {
  table([
    ['emphasis around full-width quotation marks', '含**「重点」**内容', '<p>含<strong>「重点」</strong>内容</p>'],
    ['emphasis after a full-width colon', '**标签：**正文', '<p><strong>标签：</strong>正文</p>'],
    ['emphasis after a full-width stop', '*これは強調です。*続き', '<p><em>これは強調です。</em>続き</p>'],
    ['emphasis in Korean', '**스크립트(script)**를', '<p><strong>스크립트(script)</strong>를</p>'],
    ['strikethrough around full-width quotation marks', '~~「消す」~~字', '<p><del>「消す」</del>字</p>'],
    ['asterisks next to spaces unchanged', 'a * b* c', '<p>a * b* c</p>'],
    ['asterisks around Latin quotation marks unchanged', 'a**"b"**c', '<p>a**&quot;b&quot;**c</p>'],
  ])
})

describe('Markdown links', () => {
  table([
    [
      'a link with formatted text',
      '[a *b*](https://x.org/y?z=1&w=2)',
      '<p><a href="https://x.org/y?z=1&amp;w=2">a <em>b</em></a></p>',
    ],
    [
      'a link with a title',
      '[a](https://x.org "t \\"q\\"")',
      '<p><a href="https://x.org" title="t &quot;q&quot;">a</a></p>',
    ],
    ['a link without a scheme', '[a](x.org/y)', '<p><a href="http://x.org/y">a</a></p>'],
    ['a link with a port instead of a scheme', '[a](x.org:8080/y)', '<p><a href="http://x.org:8080/y">a</a></p>'],
    ['a scheme-relative link', '[a](//x.org)', '<p><a href="http://x.org">a</a></p>'],
    [
      'a link to an email',
      '[a](b@x.org) [c](mailto:d@x.org)',
      '<p><a href="mailto:b@x.org">a</a> <a href="mailto:d@x.org">c</a></p>',
    ],
    ['a link to a phone number', '[a](tel:+123)', '<p><a href="tel:+123">a</a></p>'],
    ['links within the server', '[a](/help) [b](#top)', '<p><a href="/help">a</a> <a href="#top">b</a></p>'],
    ['links without a target as text', '[a]() [b]( )', '<p>[a]() [b]()</p>'],
    [
      'links in angle brackets',
      '<https://x.org> <b@x.org>',
      '<p><a href="https://x.org">https://x.org</a> <a href="mailto:b@x.org">b@x.org</a></p>',
    ],
    ['a link without text with its target', '[](https://x.org/a/)', '<p><a href="https://x.org/a/">a</a></p>'],
    [
      'a bare URL',
      'see https://x.org/a_(b), ok?',
      '<p>see <a href="https://x.org/a_(b)">https://x.org/a_(b)</a>, ok?</p>',
    ],
    [
      'a bare URL with a username and a password',
      'https://foo:bar@x.org/y',
      '<p><a href="https://foo:bar@x.org/y">https://foo:bar@x.org/y</a></p>',
    ],
    ['a bare URL with a username', 'https://foo@x.org', '<p><a href="https://foo@x.org">https://foo@x.org</a></p>'],
    ['a bare URL with two hosts as text', 'https://foo:bar@x.org@y.org/z', '<p>https://foo:bar@x.org@y.org/z</p>'],
    [
      'a bare URL with a long password as text',
      `https://foo:${'b'.repeat(100)}@x.org/y`,
      `<p>https://foo:${'b'.repeat(100)}@x.org/y</p>`,
    ],
    [
      'bare URLs with underscores in the host',
      'https://my_bucket.s3.x.org/y http://my_service:8080 http://_a.x.org',
      '<p><a href="https://my_bucket.s3.x.org/y">https://my_bucket.s3.x.org/y</a> ' +
        '<a href="http://my_service:8080">http://my_service:8080</a> <a href="http://_a.x.org">http://_a.x.org</a></p>',
    ],
    ['a bare URL between underscores', '_https://x.org_', '<p><em><a href="https://x.org">https://x.org</a></em></p>'],
    ['a bare host without a scheme as a link', 'at x.org/y.', '<p>at <a href="http://x.org/y">x.org/y</a>.</p>'],
    ['a bare email as a link', 'to b@x.org', '<p>to <a href="mailto:b@x.org">b@x.org</a></p>'],
    [
      'file names and fields as text',
      'main.rs notes.md user.id app.py run.sh',
      '<p>main.rs notes.md user.id app.py run.sh</p>',
    ],
    [
      'links to international hosts',
      'http://例え.jp/ü',
      '<p><a href="http://xn--r8jz45g.jp/%C3%BC">http://例え.jp/ü</a></p>',
    ],
    ['images as links', '![a](https://x.org/y.png)', '<p><a href="https://x.org/y.png">a</a></p>'],
    [
      'a link around an image with its text',
      '[![a](https://x.org/y.png)](https://z.org)',
      '<p><a href="https://z.org">a</a></p>',
    ],
    [
      'reference links as text',
      '[a][b]\n\n[b]: https://x.org',
      '<p>[a][b]</p>\n<p>[b]: <a href="https://x.org">https://x.org</a></p>',
    ],
    ['URLs in code as text', '`https://x.org`', '<p><code>https://x.org</code></p>'],
  ])
})
