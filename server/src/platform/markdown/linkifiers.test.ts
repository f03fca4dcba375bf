import { describe, expect, it } from 'vitest'
import { MAX_ADDRESS_CHARACTERS_PER_TOPIC } from './extensions/linkifiers.ts'
import type { Linkifier } from './job.ts'
import { findLinkifierProblem } from './linkifiers.ts'
import { linksInTopic } from './render.ts'
import { authorContext, html } from './testing/context.ts'

const linkifiers: readonly Linkifier[] = [
  { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}' },
  {
    id: 2,
    pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
    url_template: 'https://git.example.org/{org}/{repo}/{id}',
  },
  { id: 3, pattern: 'wiki:(?P<page>[^ ]+)', url_template: 'https://wiki.example.org/{+page}{?page}' },
  { id: 4, pattern: 'run:(?P<what>.+)', url_template: '{+what}' },
]
const bug = (id: string) => `<a href="https://bugs.example.org/${id}">#${id}</a>`

describe('linkifiers', () => {
  it.each([
    ['links matching text', 'see #12, (#13) and #14', `see ${bug('12')}, (${bug('13')}) and ${bug('14')}`],
    ['matches in emphasized text', '**#12**', `<strong>${bug('12')}</strong>`],
    ['fills several variables', 'a/b#3', '<a href="https://git.example.org/a/b/3">a/b#3</a>'],
    [
      'encodes filled values',
      'wiki:a&b"c',
      '<a href="https://wiki.example.org/a&amp;b%22c?page=a%26b%22c">wiki:a&amp;b&quot;c</a>',
    ],
    ['does not match in a word', 'a#12 #12b é#12 #12é a_#12 #12_b', 'a#12 #12b é#12 #12é a_#12 #12_b'],
    [
      'does not match in links',
      '[#12](http://x.org) http://x.org/#12',
      '<a href="http://x.org">#12</a> <a href="http://x.org/#12">http://x.org/#12</a>',
    ],
    ['does not match in code', '`#12`', '<code>#12</code>'],
    ['never links to a script URL', 'run:javascript:alert(1)', 'run:javascript:alert(1)'],
  ])('%s', async (_promise, source, expected) => {
    expect(await html(source, { linkifiers })).toBe(`<p>${expected}</p>`)
  })

  it.each([
    ['a pattern with escaped signs', 'T\\-\\.(?P<id>[0-9])', 'T-.1'],
    ['a pattern with an optional emoji', 'x😀*(?P<id>[0-9])', 'x1'],
    ['a pattern with an optional letter', 'xy?(?P<id>[0-9])', 'x1'],
    ['a pattern with a repeated letter', 'xy{0,2}(?P<id>[0-9])', 'x1'],
    ['a pattern with alternatives', 'xy|z(?P<id>[0-9])', 'z1'],
    ['a pattern that ignores case', '(?i)X(?P<id>[0-9])', 'x1'],
  ])('links text that matches %s', async (_what, pattern, source) => {
    const alone = [{ id: 1, pattern, url_template: 'https://x.org/{id}' }]
    expect(await html(source, { linkifiers: alone })).toMatch(/^<p><a href="https:\/\/x.org\/1">[^<]+<\/a><\/p>$/)
  })

  it('stops applying linkifiers in a message once searching the rest is too expensive', async () => {
    const [first = [], second = []] = ['#', '!'].map((sign) =>
      Array.from({ length: 100 }, (_, index) => ({
        id: index,
        // Without a fixed prefix, each pattern has to be searched separately.
        pattern: `[a-z]{0,30}${sign}${index}x(?P<id>[0-9]+)`,
        url_template: 'https://x.org/{id}',
      })),
    )
    const source = '**a** '.repeat(1_500)
    const links = async (text: string): Promise<number> =>
      (await html(text, { linkifiers: [...first, ...second] })).split('<a ').length - 1
    expect(await links('#1x1 !1x2')).toBe(2)
    expect(await links(`#1x1 !1x2 ${source}`)).toBe(2)
    expect(await links(`${source} #1x1 !1x2`)).toBe(0)
  })

  it('prefers earlier linkifiers if matches overlap', async () => {
    const overlapping = [
      { id: 1, pattern: 'b c', url_template: 'https://first.org' },
      { id: 2, pattern: 'a b|d', url_template: 'https://second.org' },
    ]
    expect(await html('a b c d', { linkifiers: overlapping })).toBe(
      '<p>a <a href="https://first.org">b c</a> <a href="https://second.org">d</a></p>',
    )
  })

  it('links linkifier matches and bare URLs in topics', async () => {
    const context = authorContext({ linkifiers })
    expect(await linksInTopic('#12 https://x.org a/b#3 `#4`', context)).toEqual([
      { text: '#12', url: 'https://bugs.example.org/12' },
      { text: 'https://x.org', url: 'https://x.org' },
      { text: 'a/b#3', url: 'https://git.example.org/a/b/3' },
      { text: '#4', url: 'https://bugs.example.org/4' },
    ])
    expect(await linksInTopic('lunch', context)).toEqual([])
  })

  it('links a whole URL in a topic even if part of it matches a linkifier', async () => {
    const context = authorContext({ linkifiers })
    for (const url of ['https://x.org/#12', 'http://x.org/a/b#3?c#12', 'https://x.org/a/b#3', 'mailto:a#12@x.org'])
      expect(await linksInTopic(url, context)).toEqual([{ text: url, url }])
    expect(await linksInTopic('x.org/#12, #3', context)).toEqual([
      { text: 'x.org/#12', url: 'http://x.org/#12' },
      { text: '#3', url: 'https://bugs.example.org/3' },
    ])
    const chinese = '请看https://a.example/#34。邮件mailto:b@x.org，见baidu.com/#5 #6'
    expect(await linksInTopic(chinese, context)).toEqual([
      { text: 'https://a.example/#34', url: 'https://a.example/#34' },
      { text: 'mailto:b@x.org', url: 'mailto:b@x.org' },
      { text: 'baidu.com/#5', url: 'http://baidu.com/#5' },
      { text: '#6', url: 'https://bugs.example.org/6' },
    ])
    const whole = [{ id: 1, pattern: 'https://old\\.org/(?P<id>[0-9]+)', url_template: 'https://new.org/{id}' }]
    expect(await linksInTopic('https://old.org/12', authorContext({ linkifiers: whole }))).toEqual([
      { text: 'https://old.org/12', url: 'https://new.org/12' },
    ])
  })

  it('limits the total length of URLs in a topic', async () => {
    const long = { id: 9, pattern: '(?P<word>[a-z])', url_template: `https://x.example.org/${'{word}'.repeat(160)}` }
    const context = authorContext({ linkifiers: [long] })
    const links = await linksInTopic('a b c d e f g h i j k l m n o p q r s t u v w x y z', context)
    const characters = links.reduce((sum, { url }) => sum + url.length, 0)
    expect(characters).toBeLessThanOrEqual(MAX_ADDRESS_CHARACTERS_PER_TOPIC)
    expect(links.map(({ text }) => text)).toEqual('abcdefghijklmnopqrstuvwxyz'.slice(0, links.length).split(''))
    expect(links.length).toBeGreaterThan(15)
    expect(links.length).toBeLessThan(26)
  })
})

describe('linkifier validation', () => {
  it.each([
    ['#(?P<id>[0-9]+)', 'https://x.org/{id}', undefined],
    ['(?i)bug ?(?P<id>\\d+)', 'https://x.org/{?id}', undefined],
    ['(?P<a>x)(?P<b>y)', 'https://x.org{/a,b*}{#a:3}', undefined],
    ['#(?P<id>[0-9]+', 'https://x.org/{id}', { problem: 'invalid pattern' }],
    ['#(?=a)(?P<id>b)', 'https://x.org/{id}', { problem: 'invalid pattern' }],
    ['(?P<id>a)\\1', 'https://x.org/{id}', { problem: 'invalid pattern' }],
    ['(?P<id>[0-9]*)', 'https://x.org/{id}', { problem: 'invalid pattern' }],
    ['#(?P<id>[0-9]+)', 'https://x.org/{id', { problem: 'invalid template' }],
    ['#(?P<id>[0-9]+)', 'https://x.org/{}', { problem: 'invalid template' }],
    ['#(?P<id>[0-9]+)', 'https://x.org/', { problem: 'group not in template', name: 'id' }],
    ['#(?P<id>[0-9]+)', 'https://x.org/{id}/{repo}', { problem: 'variable not in pattern', name: 'repo' }],
  ])('validates the linkifier pattern %s with the template %s', async (pattern, url_template, expected) => {
    expect(await findLinkifierProblem({ pattern, url_template })).toEqual(expected)
  })
})
