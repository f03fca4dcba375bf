import { describe, expect, it } from 'vitest'
import { readPage, type PageFacts } from './page.ts'
import { htmlToText } from './text.ts'

const read = async (html: string | Buffer, type = 'text/html'): Promise<PageFacts> =>
  readPage(Buffer.from(html), type, 'https://site.example/a/b')

describe('page metadata', () => {
  it('prefers Open Graph metadata over the page title and description', async () => {
    const head = `<!doctype html><head><title> Plain\n title </title><META NAME="Description" content="Described &amp; more">
      <meta property="og:title" content='Best "title"'><meta property=og:image content="../p.png"></head>
      <body><title>Another</title><meta property="og:description" content="too late">`
    expect(await read(head)).toEqual({
      title: 'Best "title"',
      description: 'Described & more',
      picture: 'https://site.example/p.png',
    })
    expect(await read('<title>Only <b>this</b> &lt;script&gt;</title><p>text')).toEqual({
      title: 'Only <b>this</b> <script>',
      description: '',
      picture: undefined,
    })
    expect(await read('nothing')).toEqual({ title: '', description: '', picture: undefined })
    expect((await read('<svg><title>Not of the page</title></svg>')).description).toBe('')
  })

  it('decodes the declared charset and falls back to UTF-8', async () => {
    const latin = Buffer.from('<meta charset="iso-8859-1"><title>Grüße</title>', 'latin1')
    expect((await read(latin)).title).toBe('Grüße')
    const old = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><title>Gr\xfc\xdfe</title>'
    expect((await read(Buffer.from(old, 'latin1'))).title).toBe('Grüße')
    expect((await read(Buffer.from('<title>Grüße</title>', 'latin1'), 'text/html; charset="ISO-8859-1"')).title).toBe(
      'Grüße',
    )
    const smart = Buffer.from('<meta charset="latin1"><title>\x93Smart\x94 \x80 5</title>', 'latin1')
    expect((await read(smart)).title).toBe('“Smart” € 5')
    const chinese = Buffer.from([...Buffer.from('<title>'), 0xd6, 0xd0, 0xce, 0xc4, ...Buffer.from('</title>')])
    expect((await read(chinese, 'text/html; charset=gb2312')).title).toBe('中文')
    const marked = Buffer.from('\ufeff<meta charset="windows-1252"><title>Grüße</title>')
    expect((await read(marked)).title).toBe('Grüße')
    expect((await read('<meta charset="of-nobody"><title>Grüße</title>')).title).toBe('Grüße')
  })

  it.each([
    [
      'an unknown charset in the header',
      '<meta charset=windows-1252><title>\x93Gr\xfc\xdfe\x94 \x80',
      'text/html; charset=bogus',
    ],
    ['a quoted charset in the header', '<title>\x93Gr\xfc\xdfe\x94 \x80', "text/html; charset='windows-1252'"],
    [
      'an unknown charset in the first meta element',
      '<meta charset=bogus><meta charset="cp1252"><title>\x93Gr\xfc\xdfe\x94 \x80',
    ],
    ['a charset declaration in a comment', '<!-- <meta charset=koi8-r> --><title>\x93Gr\xfc\xdfe\x94 \x80'],
    [
      'a charset declaration in a description',
      '<meta name=description content="charset=koi8-r"><title>\x93Gr\xfc\xdfe\x94 \x80',
    ],
    ['no charset declaration', '<title>\x93Gr\xfc\xdfe\x94 \x80'],
    ['an encoding declared in XML', '<?xml version="1.0" encoding="windows-1252"?><title>\x93Gr\xfc\xdfe\x94 \x80'],
    ['a declaration of the charset x-user-defined', '<meta charset=x-user-defined><title>\x93Gr\xfc\xdfe\x94 \x80'],
    ['UTF-8 without a charset declaration', Buffer.from('<title>“Grüße” €').toString('latin1')],
    ['UTF-8 that is cut off', Buffer.from('<title>“Grüße” €</title>ü').subarray(0, -1).toString('latin1')],
    ['UTF-8 declared as UTF-16', Buffer.from('<meta charset=utf-16><title>“Grüße” €').toString('latin1')],
    ['UTF-8 declared as UTF-16 by XML', Buffer.from('<?xml encoding="UTF-16LE"?><title>“Grüße” €').toString('latin1')],
    ['UTF-8 with one error', Buffer.from('<title>“Grüße” €</title>').toString('latin1') + '\xff'],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff<title>“Grüße” €', 'utf16le').toString('latin1')],
    [
      'UTF-16 declared in the header',
      Buffer.from('<title>“Grüße” €', 'utf16le').toString('latin1'),
      'text/html; charset=utf-16',
    ],
  ])('decodes a page with %s', async (_what, html, type = 'text/html') => {
    expect((await read(Buffer.from(html, 'latin1'), type)).title).toBe('“Grüße” €')
  })

  it('truncates long texts and removes control and direction characters', async () => {
    const { title, description } = await read(
      `<title>a\u202eb\u0000c\u200bd\u2066e\ud800</title><meta name=description content="${'x'.repeat(5_000)}">`,
    )
    expect(title.replaceAll('\ufffd', '')).toBe('abcde')
    expect([...description].length).toBe(300)
    expect(description.endsWith('…')).toBe(true)
    expect((await read(`<title>${'😀'.repeat(100_000)}</title>`)).title.length).toBeLessThanOrEqual(300)
  })

  it('reads truncated, deeply nested, and malformed HTML', async () => {
    const html = '<head><title>Cut</title><meta property="og:description" content="off">'
    for (let length = 0; length < html.length; length += 1) await read(html.slice(0, length))
    expect((await read('<div>'.repeat(100_000))).title).toBe('')
    expect((await read(`<meta content="${'a'.repeat(400_000)}`)).title).toBe('')
    expect((await read('<meta property="og:image" content="http://[">')).picture).toBeUndefined()
  })

  it('reads hostile HTML in bounded time and yields to other work', async () => {
    let turns = 0
    let going = true
    const next = (): void => {
      turns += 1
      if (going) setImmediate(next)
    }
    setImmediate(next)
    const began = performance.now()
    for (const html of ['<b><i>'.repeat(80_000) + '</b>'.repeat(5_000), '<li><option><p>'.repeat(30_000)]) {
      expect((await read(`<head>${html}`)).title).toBe('')
    }
    // Reading takes milliseconds; an earlier version took seconds.
    expect(performance.now() - began).toBeLessThan(1_500)
    turns = 0
    expect((await read(`<head>${'<meta name="a" content="b">'.repeat(18_000)}`)).title).toBe('')
    expect(turns).toBeGreaterThan(10)
    going = false
  })
})

describe('text of rendered messages', () => {
  const format = { language: 'en', timeZone: 'Europe/Berlin', uses24Hours: false }

  it('converts rendered HTML to text and truncates it', () => {
    expect(htmlToText('<p>One<br>\ntwo <strong>three</strong></p>\n<ul><li>a</li><li>b</li></ul>', 100, format)).toBe(
      'One two three a b',
    )
    expect(htmlToText('<p>until <time datetime="2026-01-02T03:04:05Z">then</time></p>', 100, format)).toBe(
      'until Fri, Jan 2, 2026, 4:04 AM',
    )
    expect(htmlToText('<p>a &lt;b&gt; &amp; c</p>', 100, format)).toBe('a <b> & c')
    expect(htmlToText('<p><img alt=":parrot:" class="emoji" src="/x"> hi</p>', 100, format)).toBe(':parrot: hi')
    expect(htmlToText(`<p>${'word '.repeat(100)}</p>`, 12, format)).toBe('word word w…')
    expect(
      htmlToText('<p>shown</p><div class="message_embed"><div>T<img><br></div>hidden</div><p>again</p>', 50, format),
    ).toBe('shown again')
  })
})
