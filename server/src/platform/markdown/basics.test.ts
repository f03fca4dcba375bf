import { describe, expect, it } from 'vitest'
import { html } from './testing/context.ts'

type Row = readonly [promise: string, source: string, expected: string]

function testRows(rows: readonly Row[]): void {
  it.each(rows)('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })
}

describe('Markdown text', () => {
  testRows([
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
  testRows([
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
    ['a rule alone', '---', '<hr>'],
    ['a mark alone as typed', '+', '<p>+</p>'],
    ['marks of empty blocks as typed', '#\n>\n1. -', '<p>#<br>\n&gt;<br>\n1. -</p>'],
    ['marks around an invisible character as typed', '> \u200b', '<p>&gt; \u200b</p>'],
    ['an empty formula as typed', '$$ $$', '<p>$$ $$</p>'],
    ['an empty list item beside other items', '-\n- a', '<ul>\n<li></li>\n<li>a</li>\n</ul>'],
  ])
})

describe('emphasis in scripts without spaces', () => {
  testRows([
    ['emphasis around full-width quotation marks', '含**「重点」**内容', '<p>含<strong>「重点」</strong>内容</p>'],
    ['emphasis after a full-width colon', '**标签：**正文', '<p><strong>标签：</strong>正文</p>'],
    ['emphasis after a full-width stop', '*これは強調です。*続き', '<p><em>これは強調です。</em>続き</p>'],
    ['emphasis in Korean', '**스크립트(script)**를', '<p><strong>스크립트(script)</strong>를</p>'],
    ['strikethrough around full-width quotation marks', '~~「消す」~~字', '<p><del>「消す」</del>字</p>'],
    ['emphasis in Thai', 'ที่**(สำคัญ)**มาก', '<p>ที่<strong>(สำคัญ)</strong>มาก</p>'],
    ['emphasis around quotation marks in Thai', 'คำ*“นี้”*คือ', '<p>คำ<em>“นี้”</em>คือ</p>'],
    ['strikethrough in Lao', 'ນີ້~~(ລຶບ)~~ແລ້ວ', '<p>ນີ້<del>(ລຶບ)</del>ແລ້ວ</p>'],
    ['emphasis after a Khmer stop', '**នេះ។**នោះ', '<p><strong>នេះ។</strong>នោះ</p>'],
    ['emphasis in Burmese', 'ဒါ**[အရေးကြီး]**ပါ', '<p>ဒါ<strong>[အရေးကြီး]</strong>ပါ</p>'],
    [
      'emphasis between invisible spaces in Khmer',
      'នេះ\u200B**(សំខាន់)**\u200Bណាស់',
      '<p>នេះ\u200B<strong>(សំខាន់)</strong>\u200Bណាស់</p>',
    ],
    ['asterisks next to spaces in Thai unchanged', 'ก * ข* ค', '<p>ก * ข* ค</p>'],
    ['asterisks next to spaces unchanged', 'a * b* c', '<p>a * b* c</p>'],
    ['asterisks after an accent unchanged', 'e\u0301**(b)**c', '<p>e\u0301**(b)**c</p>'],
    ['asterisks around Latin quotation marks unchanged', 'a**"b"**c', '<p>a**&quot;b&quot;**c</p>'],
  ])
})

describe('Markdown links', () => {
  testRows([
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
    ['a crossed-out URL', '~~https://x.org/a~~', '<p><del><a href="https://x.org/a">https://x.org/a</a></del></p>'],
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

describe('hosts beside scripts without spaces', () => {
  const LONG_HOST = `${`${'a'.repeat(63)}.`.repeat(4)}com`
  /** Shows links as `[text](target)`. */
  const shown = async (source: string): Promise<string> =>
    (await html(source))
      .replaceAll(/<a href="(.*?)">(.*?)<\/a>/g, (_, href: string, text: string) =>
        href.replace(/^(?:http:\/\/|mailto:)/, '') === text || href === text ? `[${text}]` : `[${text}](${href})`,
      )
      .replaceAll(/<\/?p>/g, '')

  it.each([
    ['请看github.com/a/b', '请看[github.com/a/b]'],
    ['访问baidu.com。', '访问[baidu.com]。'],
    ['baidu.com看', '[baidu.com]看'],
    ['请访问163.com或者12306.cn', '请访问[163.com]或者[12306.cn]'],
    ['看www.baidu.com的文档', '看[www.baidu.com]的文档'],
    ['ที่baidu.comครับ', 'ที่[baidu.com]ครับ'],
    ['ຢູ່baidu.com', 'ຢູ່[baidu.com]'],
    ['នៅbaidu.com', 'នៅ[baidu.com]'],
    ['တွင်baidu.com', 'တွင်[baidu.com]'],
    ['깃허브github.com에서', '깃허브[github.com]에서'],
    ['詳細はexample.co.jpを参照', '詳細は[example.co.jp]を参照'],
    ['看münchen.de看', '看[münchen.de](http://xn--mnchen-3ya.de)看'],
    ['看mu\u0308nchen.de', '看[mu\u0308nchen.de](http://xn--mnchen-3ya.de)'],
    ['☞github.com™', '☞[github.com]™'],
    ['①github.com ②baidu.com', '①[github.com] ②[baidu.com]'],
    ['→github.com→', '→[github.com]→'],
    ['链接-github.com', '链接-[github.com]'],
    ['文档.看baidu.com', '文档.看[baidu.com]'],
    ['github.com.然后', '[github.com].然后'],
    ['my_bucket.s3.example.com/x', '[my_bucket.s3.example.com/x]'],
    ['看_dmarc.example.com', '看[_dmarc.example.com]'],
    ['git\u00ADhub.com', '[git\u00ADhub.com](http://github.com)'],
    ['github.com\u200F', '[github.com]\u200F'],
    ['(github.com|baidu.com)', '(github.com|[baidu.com])'],
    ['例え.jp www.例え.jp', '[例え.jp](http://xn--r8jz45g.jp) [www.例え.jp](http://www.xn--r8jz45g.jp)'],
    ['пример.com', '[пример.com](http://xn--e1afmkfd.com)'],
    ['نامه\u200Cای.com', '[نامه\u200Cای.com](http://xn--mgba3gch31f060k.com)'],
    ['тутgithub.com', 'тутgithub.com'],
    ['раypal.com github.comтут', 'раypal.com github.comтут'],
    ['API文档.github.com', 'API文档.github.com'],
    ['@小明 @github.com a/github.com x-看.com', '@小明 @github.com a/github.com x-看.com'],
    ['main.rs看 完成.io层 看main.py', 'main.rs看 完成.io层 看main.py'],
    ['https://github.com에서', '[https://github.com]에서'],
    ['https://github.com看/x', '[https://github.com]看/x'],
    ['请看https://github.com看baidu.com。', '请看[https://github.com]看[baidu.com]。'],
    ['https://github.com.然后', '[https://github.com].然后'],
    ['https://github.com→x', '[https://github.com]→x'],
    ['https://github.com™', '[https://github.com]™'],
    ['https://github.com\u200F', '[https://github.com]\u200F'],
    ['http://10.0.0.1看 http://intranet.corp에서', '[http://10.0.0.1]看 [http://intranet.corp]에서'],
    ['http://localhost에서', '[http://localhost]에서'],
    ['http://localhost:8080에서', '[http://localhost:8080]에서'],
    ['http://[::1]:80看 http://[::1]看', '[http://[::1]:80]看 [http://[::1]]看'],
    ['https://a:b@x.org看', '[https://a:b@x.org]看'],
    ['https://x.org/a看', '[https://x.org/a看](https://x.org/a%E7%9C%8B)'],
    ['https://münchen.example', '[https://münchen.example](https://xn--mnchen-3ya.example)'],
    ['https://MÜNCHEN.example', '[https://MÜNCHEN.example](https://xn--mnchen-3ya.example)'],
    ['https://пример.рф', '[https://пример.рф](https://xn--e1afmkfd.xn--p1ai)'],
    ['https://例え.jp에서', '[https://例え.jp](https://xn--r8jz45g.jp)에서'],
    ['https://Tシャツ.jp', '[https://Tシャツ.jp](https://xn--t-mfutbzh.jp)'],
    ['https://例子.公司', '[https://例子.公司](https://xn--fsqu00a.xn--55qx5d)'],
    ['https://a.dev.例子.中国', '[https://a.dev.例子.中国](https://a.dev.xn--fsqu00a.xn--fiqs8s)'],
    ['https://тутgithub.com', 'https://тутgithub.com'],
    ['https://git\u202Ehub.com', 'https://git\u202Ehub.com'],
    ['http://web서버:8080/x', '[http://web서버:8080/x](http://xn--web-5f1nx7p:8080/x)'],
    ['https://раypal.com/x', 'https://раypal.com/x'],
    ['https://github.comтут', 'https://github.comтут'],
    ['发到bob@example.com。', '发到[bob@example.com]。'],
    ['bob@example.com看', '[bob@example.com]看'],
    ['邮箱：bob@example.com', '邮箱：[bob@example.com]'],
    ['mailto:bob@example.com看', '[mailto:bob@example.com]看'],
    ['bob@exаmple.com', 'bob@exаmple.com'],
    [`https://${LONG_HOST}`, `https://${LONG_HOST}`],
    [`bob@${LONG_HOST}`, `bob@${LONG_HOST}`],
    ['ann.io@x.org ann.io/b@x.org看', '[ann.io@x.org] [ann.io/b@x.org看](http://ann.io/b@x.org%E7%9C%8B)'],
    ['medium.com/@ann.lee medium.com/@ann.lee/post', '[medium.com/@ann.lee] [medium.com/@ann.lee/post]'],
    ['a.io?b=c.io,d.io e.io', '[a.io?b=c.io,d.io] [e.io]'],
  ])('renders %s', async (source, expected) => {
    expect(await shown(source)).toBe(expected)
  })
})
