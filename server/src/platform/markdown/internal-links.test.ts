import { describe, expect, it } from 'vitest'
import { renderMessage } from './render.ts'
import { encodeNarrow, narrowUrl, readNarrowUrl } from './narrow.ts'
import { placeLink } from './place-link.ts'
import { authorContext, html } from './testing/context.ts'

const channel = '<a class="stream" data-stream-id="5" href="/#narrow/channel/5-general">#general</a>'
const topic = (encoded: string, shown: string) =>
  `<a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-general/topic/${encoded}">#general &gt; ${shown}</a>`
const message = (rest: string, shown: string) =>
  `<a class="message-link" href="/#narrow/channel/5-general/topic/${rest}">#general &gt; ${shown} @ 💬</a>`

const starry = '<a class="stream" data-stream-id="10" href="/#narrow/channel/10-a.2Ab">#a*b</a>'
const ended = '<a class="stream" data-stream-id="11" href="/#narrow/channel/11-c.2A">#c*</a>'

describe('a link to a channel', () => {
  it.each([
    ['by name', '#**general**', channel],
    [
      'with other letters in its name',
      '#**dev & ops**',
      '<a class="stream" data-stream-id="6" href="/#narrow/channel/6-dev-.26-ops">#dev &amp; ops</a>',
    ],
    [
      'whose name looks like a topic',
      '#**a > b**',
      '<a class="stream" data-stream-id="9" href="/#narrow/channel/9-a-.3E-b">#a &gt; b</a>',
    ],
    ['whose name has an asterisk', '#**a*b**', starry],
    [
      'whose name ends in one, behind other links',
      '#**general** #**c*** #**general**',
      `${channel} ${ended} ${channel}`,
    ],
    ['to a topic with an asterisk', '#**general>a*b**', topic('a.2Ab', 'a*b')],
    [
      'to a topic of a channel whose name looks like one',
      '#**a > b>lunch**',
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-a-.3E-b/topic/lunch">#a &gt; b &gt; lunch</a>',
    ],
    ['between other asterisks', '**#**a*b****', `<strong>${starry}</strong>`],
    ['to a topic, and then bold text', '#**general>a** b**c**', `${topic('a', 'a')} b<strong>c</strong>`],
    ['to a topic', '#**general>lunch.plan (a)**', topic('lunch.2Eplan.20.28a.29', 'lunch.plan (a)')],
    ['to the empty topic', '#**general>**', topic('', '<em>general chat</em>')],
    ['to a message', '#**general>lunch@12**', message('lunch/near/12', 'lunch')],
    ['to a message in the empty topic', '#**general>@12**', message('/near/12', '<em>general chat</em>')],
    [
      'not in the words of a link',
      '[#**general**](http://x.org)',
      '<a href="http://x.org">#<strong>general</strong></a>',
    ],
    ['may touch Chinese', '请看#**general**吧', `请看${channel}吧`],
    ['may be emphasized by underscores', '_#**general**_', `<em>${channel}</em>`],
    ['not in code', '`#**general**`', '<code>#**general**</code>'],
    [
      'not to one that the author cannot see',
      '#**secret** #**secret>x**',
      '#<strong>secret</strong> #<strong>secret&gt;x</strong>',
    ],
    ['pasted', 'https://chat.example.org/#narrow/channel/5-general.', `${channel}.`],
    [
      'pasted in its older form',
      'https://chat.example.org/#narrow/stream/5-old/subject/a.20b',
      topic('x', 'a b').replace('channel/5-general/topic/x', 'stream/5-old/subject/a.20b'),
    ],
    [
      'pasted, to a message',
      'https://chat.example.org/#narrow/channel/5-general/topic/a/near/12',
      message('a/near/12', 'a'),
    ],
    [
      'pasted with words keeps them',
      '[here](https://chat.example.org/#narrow/channel/5-general)',
      '<a href="/#narrow/channel/5-general">here</a>',
    ],
    [
      'pasted, to one that the author cannot see, says no more than was pasted',
      'https://chat.example.org/#narrow/channel/99-x',
      '<a href="/#narrow/channel/99-x">https://chat.example.org/#narrow/channel/99-x</a>',
    ],
    [
      'elsewhere stays as it is',
      'https://chat.example.com/#narrow/channel/5-general',
      '<a href="https://chat.example.com/#narrow/channel/5-general">https://chat.example.com/#narrow/channel/5-general</a>',
    ],
  ])('%s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(`<p>${expected}</p>`)
  })

  it('shows the name that the organization gives the empty topic', async () => {
    expect(await html('#**general>**', { emptyTopicName: 'misc' })).toBe(`<p>${topic('', '<em>misc</em>')}</p>`)
  })
})

describe('the Markdown of a link', () => {
  const NAMES = [
    'general',
    'a*b',
    'a**b',
    '*',
    'a > b',
    'a@12',
    '`a`',
    '$$a$$',
    '[a](b)',
    '<b>',
    'a_b_',
    '\\',
    ':tada:',
    '@**Ann Lee**',
    '~~a~~',
  ]

  it.each(NAMES)('leads to a channel or a topic called %s, and reads like it', async (name) => {
    const named = { id: 12, name }
    const channels = { channelByName: (one: string) => (one === name ? named : undefined), channelById: () => named }
    const shown = name.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '')
    for (const [given, words] of [
      [undefined, `#${shown}`],
      [name, `#${shown} &gt; ${shown}`],
      ['', `#${shown} &gt; <em>general chat</em>`],
    ] as const) {
      const rendered = await html(placeLink(named, given, given === '' ? 'general chat' : given), channels)
      expect(rendered).toContain(` href="${narrowUrl(named, given)}">`)
      expect(
        rendered
          .replace(/^<p><a [^>]*>/, '')
          .replace('<em>', '')
          .replace('</em>', ''),
      ).toBe(`${words.replace('<em>', '').replace('</em>', '')}</a></p>`)
    }
  })
})

describe('addresses within the app', () => {
  it('are read as they were written', () => {
    for (const name of ['a', 'a.b%c', 'ä/ö?#', "(*!')", '.', '~-_', '日本', '😀', '']) {
      expect(readNarrowUrl(narrowUrl({ id: 3, name: 'x y' }, name, 9))).toEqual({
        channelId: 3,
        topic: name,
        messageId: 9,
      })
      expect(encodeNarrow(name)).toMatch(/^[A-Za-z0-9._~-]*$/)
    }
  })

  it.each([
    '/#narrow/is/starred',
    '#narrow/channel/general',
    '/#narrow/channel/5-x/topic/.E0',
    '/#narrow/channel/5/search/x',
  ])('%s is none of a channel, topic or message', (url) => expect(readNarrowUrl(url)).toBeUndefined())
})

describe('a link to an upload', () => {
  const preview = (path: string, title: string) =>
    `<div class="message_inline_image"><a href="${path}" title="${title}"><img src="${path}"></a></div>`

  it.each([
    [
      'to an image shows it below',
      '[pic](/user_uploads/2/ab/p.png)',
      `<p><a href="/user_uploads/2/ab/p.png">pic</a></p>\n${preview('/user_uploads/2/ab/p.png', 'pic')}`,
    ],
    [
      'written as an image does too',
      '![](/user_uploads/2/p.png)',
      `<p><a href="/user_uploads/2/p.png">p.png</a></p>\n${preview('/user_uploads/2/p.png', 'p.png')}`,
    ],
    [
      'to a video shows that',
      '[v](/user_uploads/2/v.mp4)',
      '<p><a href="/user_uploads/2/v.mp4">v</a></p>\n<div class="message_inline_image message_inline_video">' +
        '<a href="/user_uploads/2/v.mp4" title="v"><video preload="metadata" src="/user_uploads/2/v.mp4"></video></a></div>',
    ],
    ['to another file shows nothing', '[t](/user_uploads/2/t.txt)', '<p><a href="/user_uploads/2/t.txt">t</a></p>'],
    [
      'in a quotation shows nothing',
      '> [p](/user_uploads/2/p.png)',
      '<blockquote>\n<p><a href="/user_uploads/2/p.png">p</a></p>\n</blockquote>',
    ],
    [
      'elsewhere shows nothing',
      '[p](https://x.org/user_uploads/2/p.png)',
      '<p><a href="https://x.org/user_uploads/2/p.png">p</a></p>',
    ],
    [
      'pasted shows its file name as title',
      'https://chat.example.org/user_uploads/2/p%20q.png',
      '<p><a href="/user_uploads/2/p%20q.png">https://chat.example.org/user_uploads/2/p q.png</a></p>\n' +
        preview('/user_uploads/2/p%20q.png', 'p q.png'),
    ],
  ])('%s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })

  it('is reported, so that the file belongs to the message', async () => {
    const source =
      '[b](/user_uploads/2/b%20c.txt) > [a](user_uploads/2/a.png)\n\n> [d](https://chat.example.org/user_uploads/2/d.png)\n\n[e](/user_uploads/../e)'
    const { linkedUploads } = await renderMessage(source, authorContext())
    expect(linkedUploads).toEqual(['2/a.png', '2/b c.txt', '2/d.png'])
  })

  it('shows the thumbnail when there is one', async () => {
    const known = { src: '/thumb/x.webp', width: 40, height: 30, contentType: 'image/png', isAnimated: false }
    const asked: string[][] = []
    const uploadPreviews = async (pathIds: readonly string[]) => {
      asked.push([...pathIds])
      return Promise.resolve(
        new Map([['2/p.png', known] as const, ['2/a.gif', { ...known, isAnimated: true }] as const]),
      )
    }
    const shown = await html('[p](/user_uploads/2/p.png) [a](/user_uploads/2/a.gif) [t](/user_uploads/2/t.txt)', {
      uploadPreviews,
    })
    expect(shown).toContain(
      '<img data-original-dimensions="40x30" data-original-content-type="image/png" src="/thumb/x.webp">',
    )
    expect(shown).toContain(
      '<img data-original-dimensions="40x30" data-original-content-type="image/png" data-animated="true" src="/thumb/x.webp">',
    )
    expect(asked).toEqual([['2/a.gif', '2/p.png', '2/t.txt']])
  })

  it('shows nothing below what turned out to be no picture', async () => {
    const uploadPreviews = async () => Promise.resolve(new Map([['2/p.png', 'none'] as const]))
    expect(await html('[p](/user_uploads/2/p.png)', { uploadPreviews })).toBe(
      '<p><a href="/user_uploads/2/p.png">p</a></p>',
    )
  })
})
