import { describe, expect, it } from 'vitest'
import { isMeMessage } from './me-message.ts'
import { html } from './testing/context.ts'
import { parseStrictHtml } from './whitelist.ts'

describe('HTML in messages', () => {
  it.each([
    ['<strong>x</strong>', '<p>&lt;strong&gt;x&lt;/strong&gt;</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<!-- x -->', '<p>&lt;!-- x --&gt;</p>'],
    ['&lt;b&gt; &amp; &#60;', '<p>&amp;lt;b&amp;gt; &amp;amp; &amp;#60;</p>'],
    ['`<b>"`', '<p><code>&lt;b&gt;&quot;</code></p>'],
    ['a\u0000b', '<p>a\ufffdb</p>'],
    ['\ud800', '<p>\ufffd</p>'],
  ])('escapes HTML: %j', async (source, expected) => {
    expect(await html(source)).toBe(expected)
  })
})

describe('nested links', () => {
  it('does not render a link inside another link', async () => {
    const source = 'text before [https://a.b/c[d](http://e "f")\\[![g](http://h)](http://i)'
    expect(parseStrictHtml(await html(source)).filter(({ parents }) => parents.includes('a'))).toEqual([])
  })
})

describe('links to scripts', () => {
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
  ])('does not render a link to a script or a file: %s', async (source) => {
    const elements = parseStrictHtml(await html(source))
    const schemes = elements.flatMap(({ attributes }) => attributes.get('href')?.split(':')[0] ?? [])
    expect(schemes.filter((scheme) => scheme !== 'http')).toEqual([])
  })
})

describe('invisible characters in URLs', () => {
  it.each(['%00', '%0A', '%1F', '%C2%9F', '%E2%80%A8'])(
    'shows an encoded invisible character as typed: %s',
    async (code) => {
      const url = `https://a.example/${code}x`
      expect(await html(url)).toBe(`<p><a href="${url}">${url}</a></p>`)
    },
  )

  it('decodes percent-encoded letters in a displayed URL', async () => {
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
  ])('detects whether %j is a /me message: %s', async (source, expected) => {
    expect(isMeMessage(source, await html(source))).toBe(expected)
  })
})
