import { describe, expect, it } from 'vitest'
import { isMeMessage } from './me-message.ts'
import { html } from './testing/context.ts'
import { readStrictly } from './strict-html.ts'

describe('HTML in the source', () => {
  it.each([
    ['<strong>x</strong>', '<p>&lt;strong&gt;x&lt;/strong&gt;</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<!-- x -->', '<p>&lt;!-- x --&gt;</p>'],
    ['&lt;b&gt; &amp; &#60;', '<p>&amp;lt;b&amp;gt; &amp;amp; &amp;#60;</p>'],
    ['`<b>"`', '<p><code>&lt;b&gt;&quot;</code></p>'],
    ['a\u0000b', '<p>a\ufffdb</p>'],
    ['\ud800', '<p>\ufffd</p>'],
  ])('is shown, not obeyed: %j', async (source, expected) => {
    expect(await html(source)).toBe(expected)
  })
})

describe('a link', () => {
  it('contains no other link, even where an address in its words contains one', async () => {
    const source = 'text before [https://a.b/c[d](http://e "f")\\[![g](http://h)](http://i)'
    expect(readStrictly(await html(source)).filter(({ parents }) => parents.includes('a'))).toEqual([])
  })
})

describe('a link to what could run', () => {
  it.each([
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT:alert(1))',
    '[x](java&#115;cript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](<javascript:alert(1)>)',
    '[x](<\u0001javascript:alert(1)>)',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](data:image/png;base64,AAAA)',
    '[x](vbscript:x)',
    '[x](file:///etc/passwd)',
    '[x](blob:x)',
    '![x](javascript:alert(1))',
    '<javascript:alert(1)>',
    '<data:text/html,x>',
    'javascript:alert(1)',
    '[x][y]\n\n[y]: javascript:alert(1)',
  ])('is no link: %s', async (source) => {
    const elements = readStrictly(await html(source))
    const schemes = elements.flatMap(({ attributes }) => attributes.get('href')?.split(':')[0] ?? [])
    expect(schemes.filter((scheme) => scheme !== 'http')).toEqual([])
  })
})

describe('an address with codes of what cannot be seen', () => {
  it.each(['%00', '%0A', '%1F', '%C2%9F', '%E2%80%A8'])('is shown as it was typed: %s', async (code) => {
    const url = `https://a.example/${code}x`
    expect(await html(url)).toBe(`<p><a href="${url}">${url}</a></p>`)
  })

  it('is otherwise shown as it reads', async () => {
    const url = 'https://a.example/gr%C3%BC%C3%9Fe'
    expect(await html(url)).toBe(`<p><a href="${url}">https://a.example/grüße</a></p>`)
  })
})

describe('/me', () => {
  it.each([
    ['/me waves', true],
    ['/me waves\nand bows', true],
    ['/me waves\n\nand leaves', false],
    ['/mean', false],
    ['say /me waves', false],
    ['/me [x](/user_uploads/2/a/x.png)', false],
  ])('%j is an action: %s', async (source, expected) => {
    expect(isMeMessage(source, await html(source))).toBe(expected)
  })
})
