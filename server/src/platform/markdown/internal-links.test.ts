import { describe, expect, it } from 'vitest'
import { renderMessage } from './render.ts'
import { encodeFragmentPart, narrowUrl, readNarrowUrl, conversationLink } from './narrow.ts'
import { authorContext, html } from './testing/context.ts'

const channel = '<a class="stream" data-stream-id="5" href="/#narrow/channel/5-general">#general</a>'
const topic = (encoded: string, shown: string) =>
  `<a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-general/topic/${encoded}">#general &gt; ${shown}</a>`
const message = (rest: string, shown: string) =>
  `<a class="message-link" href="/#narrow/channel/5-general/topic/${rest}">#general &gt; ${shown} @ 💬</a>`

const linkWithAsterisk = '<a class="stream" data-stream-id="10" href="/#narrow/channel/10-a.2Ab">#a*b</a>'
const linkEndingInAsterisk = '<a class="stream" data-stream-id="11" href="/#narrow/channel/11-c.2A">#c*</a>'

describe('channel links', () => {
  it.each([
    ['a channel link by name', '#**general**', channel],
    [
      'a channel link with special characters',
      '#**dev & ops**',
      '<a class="stream" data-stream-id="6" href="/#narrow/channel/6-dev-.26-ops">#dev &amp; ops</a>',
    ],
    [
      'a channel name that looks like a topic',
      '#**a > b**',
      '<a class="stream" data-stream-id="9" href="/#narrow/channel/9-a-.3E-b">#a &gt; b</a>',
    ],
    ['a channel name with an asterisk', '#**a*b**', linkWithAsterisk],
    [
      'a channel name that ends in an asterisk after other links',
      '#**general** #**c*** #**general**',
      `${channel} ${linkEndingInAsterisk} ${channel}`,
    ],
    ['a topic name with an asterisk', '#**general>a*b**', topic('a.2Ab', 'a*b')],
    [
      'a topic in a channel whose name looks like a topic',
      '#**a > b>lunch**',
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-a-.3E-b/topic/lunch">#a &gt; b &gt; lunch</a>',
    ],
    ['a channel link between other asterisks', '**#**a*b****', `<strong>${linkWithAsterisk}</strong>`],
    ['a topic link before bold text', '#**general>a** b**c**', `${topic('a', 'a')} b<strong>c</strong>`],
    ['a topic link', '#**general>lunch.plan (a)**', topic('lunch.2Eplan.20.28a.29', 'lunch.plan (a)')],
    ['a link to the empty topic', '#**general>**', topic('', '<em>general chat</em>')],
    ['a message link', '#**general>lunch@12**', message('lunch/near/12', 'lunch')],
    ['a link to a message in the empty topic', '#**general>@12**', message('/near/12', '<em>general chat</em>')],
    [
      'a channel name in link text as text',
      '[#**general**](http://x.org)',
      '<a href="http://x.org">#<strong>general</strong></a>',
    ],
    ['a channel link between Korean letters', '채널#**general**에서', `채널${channel}에서`],
    ['a channel link between Chinese characters', '请看#**general**吧', `请看${channel}吧`],
    ['a channel link between underscores', '_#**general**_', `<em>${channel}</em>`],
    ['a channel name in code as text', '`#**general**`', '<code>#**general**</code>'],
    [
      'a channel hidden from the author as text',
      '#**secret** #**secret>x**',
      '#<strong>secret</strong> #<strong>secret&gt;x</strong>',
    ],
    ['a pasted channel URL', 'https://chat.example.org/#narrow/channel/5-general.', `${channel}.`],
    [
      'a pasted topic URL in its older form',
      'https://chat.example.org/#narrow/stream/5-old/subject/a.20b',
      topic('x', 'a b').replace('channel/5-general/topic/x', 'stream/5-old/subject/a.20b'),
    ],
    [
      'a pasted message URL',
      'https://chat.example.org/#narrow/channel/5-general/topic/a/near/12',
      message('a/near/12', 'a'),
    ],
    [
      'a channel URL with link text',
      '[here](https://chat.example.org/#narrow/channel/5-general)',
      '<a href="/#narrow/channel/5-general">here</a>',
    ],
    [
      'a pasted URL of a hidden channel without its name',
      'https://chat.example.org/#narrow/channel/99-x',
      '<a href="/#narrow/channel/99-x">https://chat.example.org/#narrow/channel/99-x</a>',
    ],
    [
      'a channel URL of another server unchanged',
      'https://chat.example.com/#narrow/channel/5-general',
      '<a href="https://chat.example.com/#narrow/channel/5-general">https://chat.example.com/#narrow/channel/5-general</a>',
    ],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(`<p>${expected}</p>`)
  })

  it('shows the configured name of the empty topic', async () => {
    expect(await html('#**general>**', { emptyTopicName: 'misc' })).toBe(`<p>${topic('', '<em>misc</em>')}</p>`)
  })
})

describe('generated channel links', () => {
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

  it.each(NAMES)('round-trips the channel or topic name %s through a URL', async (name) => {
    const named = { id: 12, name }
    const channels = { channelByName: (one: string) => (one === name ? named : undefined), channelById: () => named }
    const shown = name.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '')
    for (const [given, words] of [
      [undefined, `#${shown}`],
      [name, `#${shown} &gt; ${shown}`],
      ['', `#${shown} &gt; <em>general chat</em>`],
    ] as const) {
      const rendered = await html(conversationLink(named, given, given === '' ? 'general chat' : given), channels)
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

describe('app URLs', () => {
  it('round-trips channel, topic, and message through a URL', () => {
    for (const name of ['a', 'a.b%c', 'ä/ö?#', "(*!')", '.', '~-_', '日本', '😀', '']) {
      expect(readNarrowUrl(narrowUrl({ id: 3, name: 'x y' }, name, 9))).toEqual({
        channelId: 3,
        topic: name,
        messageId: 9,
      })
      expect(encodeFragmentPart(name)).toMatch(/^[A-Za-z0-9._~-]*$/)
    }
  })

  it.each([
    '/#narrow/is/starred',
    '#narrow/channel/general',
    '/#narrow/channel/5-x/topic/.E0',
    '/#narrow/channel/5/search/x',
  ])('ignores a URL that leads to no channel, topic, or message: %s', (url) =>
    expect(readNarrowUrl(url)).toBeUndefined(),
  )
})

describe('upload links', () => {
  const preview = (path: string, title: string) =>
    `<div class="message_inline_image"><a href="${path}" title="${title}"><img src="${path}"></a></div>`

  it.each([
    [
      'an image below its link',
      '[pic](/user_uploads/2/ab/p.png)',
      `<p><a href="/user_uploads/2/ab/p.png">pic</a></p>\n${preview('/user_uploads/2/ab/p.png', 'pic')}`,
    ],
    [
      'an image below image syntax',
      '![](/user_uploads/2/p.png)',
      `<p><a href="/user_uploads/2/p.png">p.png</a></p>\n${preview('/user_uploads/2/p.png', 'p.png')}`,
    ],
    [
      'a video below its link',
      '[v](/user_uploads/2/v.mp4)',
      '<p><a href="/user_uploads/2/v.mp4">v</a></p>\n<div class="message_inline_image message_inline_video">' +
        '<a href="/user_uploads/2/v.mp4" title="v"><video preload="metadata" src="/user_uploads/2/v.mp4"></video></a></div>',
    ],
    ['no preview for another file', '[t](/user_uploads/2/t.txt)', '<p><a href="/user_uploads/2/t.txt">t</a></p>'],
    [
      'no preview in a quotation',
      '> [p](/user_uploads/2/p.png)',
      '<blockquote>\n<p><a href="/user_uploads/2/p.png">p</a></p>\n</blockquote>',
    ],
    [
      'no preview for a file on another server',
      '[p](https://x.org/user_uploads/2/p.png)',
      '<p><a href="https://x.org/user_uploads/2/p.png">p</a></p>',
    ],
    [
      'a preview titled with the file name for a pasted URL',
      'https://chat.example.org/user_uploads/2/p%20q.png',
      '<p><a href="/user_uploads/2/p%20q.png">https://chat.example.org/user_uploads/2/p q.png</a></p>\n' +
        preview('/user_uploads/2/p%20q.png', 'p q.png'),
    ],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })

  it('reports the uploads that a message links to', async () => {
    const source =
      '[b](/user_uploads/2/b%20c.txt) > [a](user_uploads/2/a.png)\n\n> [d](https://chat.example.org/user_uploads/2/d.png)\n\n[e](/user_uploads/../e)'
    const { linkedUploads } = await renderMessage(source, authorContext())
    expect(linkedUploads).toEqual(['2/a.png', '2/b c.txt', '2/d.png'])
  })

  it('shows the available thumbnails of a linked image', async () => {
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

  it('shows no preview for a file that is not an image', async () => {
    const uploadPreviews = async () => Promise.resolve(new Map([['2/p.png', 'none'] as const]))
    expect(await html('[p](/user_uploads/2/p.png)', { uploadPreviews })).toBe(
      '<p><a href="/user_uploads/2/p.png">p</a></p>',
    )
  })
})
