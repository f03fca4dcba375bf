import { describe, expect, it } from 'vitest'
import { loadEmojiNames } from './emoji/names.ts'
import { html } from './testing/context.ts'

const emoji = (name: string, code: string) => {
  const title = name.replaceAll('_', ' ')
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`
}

describe('Markdown emoji', () => {
  it.each([
    ['an emoji by name', ':smile:', emoji('smile', '1f642')],
    ['an emoji by a name of two words', ':thumbs_up:', emoji('thumbs_up', '1f44d')],
    ['an emoji by a name with signs', ':+1: :-1:', `${emoji('+1', '1f44d')} ${emoji('-1', '1f44e')}`],
    ['adjacent emoji', ':tada::octopus:', emoji('tada', '1f389') + emoji('octopus', '1f419')],
    ['typed Unicode emoji', '🎉 👍', `${emoji('tada', '1f389')} ${emoji('thumbs_up', '1f44d')}`],
    ['emoji with several code points', '🇫🇷 1️⃣', `${emoji('france', '1f1eb-1f1f7')} ${emoji('one', '0031-20e3')}`],
    ['an emoji of several people', '👨‍👩‍👧', emoji('family_man_woman_girl', '1f468-200d-1f469-200d-1f467')],
    ['a regional flag', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', emoji('scotland', '1f3f4-e0067-e0062-e0073-e0063-e0074-e007f')],
    ['text signs as emoji only with a variation selector', '❤️ ❤ ™', `${emoji('heart', '2764')} ❤ ™`],
    ['an emoji with a skin tone as a character', '👍🏽', '👍🏽'],
    [
      'a custom emoji',
      ':parrot:',
      '<img alt=":parrot:" class="emoji" src="/user_avatars/2/emoji/images/1.gif" title="parrot">',
    ],
    ['unknown emoji names as text', ':no_such: 10:30:20 a::b::c', ':no_such: 10:30:20 a::b::c'],
    ['colons in technical text unchanged', 'main.c:1234:5 file.ts:100:5', 'main.c:1234:5 file.ts:100:5'],
    [
      'line numbers in compiler messages as text',
      'main.c:100: no `a`:100: x():100:',
      'main.c:100: no <code>a</code>:100: x():100:',
    ],
    [
      'emoji with numbers as names',
      '(:100:) :tada::100:',
      `(${emoji('100', '1f4af')}) ${emoji('tada', '1f389')}${emoji('100', '1f4af')}`,
    ],
    ['an emoji between Korean letters', '한국:smile:한국', `한국${emoji('smile', '1f642')}한국`],
    [
      'emoji names between words, dots, or slashes as text',
      'a:tada:b x.:tada:.y a/:tada:/b',
      'a:tada:b x.:tada:.y a/:tada:/b',
    ],
    ['an emoji between Chinese characters', '中文:smile:中文', `中文${emoji('smile', '1f642')}中文`],
    [
      'an emoji after a word or a sentence',
      'Done:tada: Done.:tada:',
      `Done${emoji('tada', '1f389')} Done.${emoji('tada', '1f389')}`,
    ],
    [
      'an emoji before a dot',
      'Done:tada:. Done:tada:...',
      `Done${emoji('tada', '1f389')}. Done${emoji('tada', '1f389')}...`,
    ],
    ['emoji in code as text', '`:tada: 🎉`', '<code>:tada: 🎉</code>'],
    ['an escaped emoji name as text', '\\:tada:', ':tada:'],
    ['smileys as text', ':) :(', ':) :('],
    [
      'an emoji name in a URL as part of the URL',
      'https://x.org/:tada:',
      '<a href="https://x.org/:tada:">https://x.org/:tada:</a>',
    ],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(`<p>${expected}</p>`)
  })

  it.each([
    '10:30:45',
    '2026-11-23T10:100:45Z',
    'a::b::c',
    'std::vector::size',
    'std::key::lock std::x::y',
    'crate::lock::Mutex::new(key)',
    '::lock::key::',
    '{:ok, x}',
    '{:ok, :error, :key}',
    'fe80::1:100:2',
    'fe80::100:1234',
    '[::1]:100: open',
    '00:1a:100:2b',
    '12:100:',
    'key:value:100:',
    ':symbol:other:',
    'root:x:0:0:root:/root:/bin/sh',
    'a:x:b:o:c',
    'foo:key:lock:bar',
    'C:\\dir:x:\\y',
    'D:/x:key:/y',
    'urn:isbn:100:1',
    'arn:aws:key:lock:100:role',
    'repo/image:100:amd64',
    'localhost:100: refused',
    'src/lib.rs:100:1234: unused',
    'at f (file.js:100:5)',
    'org.acme:package:1.0',
    'ratio 1:100:1',
    'yaml: {a:ok:b, c:100:}',
    '"a":100:"b"',
    "'a':100: x",
    'x[0]:100: y',
    'a-:100: b',
    'v1.:100: c',
    'namespace:on:end:key',
  ])('leaves technical text unchanged: %s', async (text) => {
    expect(await html(text)).not.toContain('class="emoji')
  })

  it.each([
    ['(:smile:)', 1],
    ['"\u200b:+1:"', 1],
    ['":100:" \u201c:100:\u201d (":100:")', 3],
    [':smile::smile::100:', 3],
    [':no_such::smile: (:no_such::other::100:)', 2],
    ['**:smile:** *:100:* ~~:smile:~~', 3],
    ['Great!:100: wow,:100:', 2],
    ['Hi:smile: Done.:smile: ok:smile:!', 3],
    ['\u592a\u68d2\u4e86:100: \u4e2d:smile:\u6587', 2],
    ['\u{1f389}:100:', 2],
    ['10:30 :smile: 10:30:smile:', 2],
    ['\u2014:smile:\u2014 \u2026:smile: \u00ab:smile:\u00bb', 3],
    ['- :smile:\n- :100:', 2],
    ['> :smile:', 1],
    ['[:smile:](https://x.org) https://x.org :smile:', 2],
    ['a/b :smile: c:\\d :smile:', 2],
  ])('renders each emoji of %j', async (text, count) => {
    expect((await html(text)).match(/class="emoji/g)).toHaveLength(count)
  })

  it('renders smileys as emoji for people who enabled the setting', async () => {
    const source = ':) (: :/ <3. a:) `:)` http://x.org :D'
    expect(await html(source, { translateEmoticons: true })).toBe(
      `<p>${emoji('smile', '1f642')} ${emoji('smile', '1f642')} ${emoji('confused', '1f615')} ${emoji('heart', '2764')}. a:) ` +
        `<code>:)</code> <a href="http://x.org">http://x.org</a> ${emoji('grinning', '1f600')}</p>`,
    )
  })

  it('renders the emoji names of other chat apps', async () => {
    const { codeByName, namesByCode } = await loadEmojiNames()
    const expected = {
      smile: '1f642',
      thumbs_up: '1f44d',
      '+1': '1f44d',
      tada: '1f389',
      heart: '2764',
      octopus: '1f419',
      france: '1f1eb-1f1f7',
    }
    for (const [name, code] of Object.entries(expected)) expect([name, codeByName.get(name)]).toEqual([name, code])
    expect(codeByName.size).toBeGreaterThan(2_500)
    for (const [code, [first]] of namesByCode) {
      expect(code).toMatch(/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/)
      expect(codeByName.get(first ?? '')).toBe(code)
    }
  })
})

describe('Markdown formulas', () => {
  const begin = '<span class="katex"><span class="katex-mathml">'

  it('renders an inline formula', async () => {
    const rendered = await html('a $$x^2$$ b')
    expect(rendered.startsWith(`<p>a ${begin}`)).toBe(true)
    expect(rendered).toContain('<annotation encoding="application/x-tex">x^2</annotation>')
    expect(rendered.endsWith('</span> b</p>')).toBe(true)
  })

  it('renders several formulas in a math block', async () => {
    const rendered = await html('```math\n\\frac{1}{2}\n\nx\n```')
    expect(rendered.split('\n').map((line) => line.slice(0, 60))).toEqual([
      `<p><span class="katex-display">${begin}`.slice(0, 60),
      `<p><span class="katex-display">${begin}`.slice(0, 60),
    ])
  })

  it.each([
    ['with an error', '$$\\frac{1$$', '<p><span class="tex-error">$$\\frac{1$$</span></p>'],
    ['in a math block with an error', '```math\n\\nope\n```', '<p><span class="tex-error">\\nope</span></p>'],
    ['with a definition', '$$\\def\\a{b}\\a$$', '<p><span class="tex-error">$$\\def\\a{b}\\a$$</span></p>'],
    [
      'that nests too deep',
      `$$${'{'.repeat(30)}x${'}'.repeat(30)}$$`,
      `<p><span class="tex-error">$$${'{'.repeat(30)}x${'}'.repeat(30)}$$</span></p>`,
    ],
    ['that is an amount of money', '$5 and $6, $$ and $$$', '<p>$5 and $6, $$ and $$$</p>'],
    ['over two lines', '$$a\nb$$', '<p>$$a<br>\nb$$</p>'],
    ['in code', '`$$x$$`', '<p><code>$$x$$</code></p>'],
  ])('shows a formula %s as typed', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })

  it('keeps asterisks and underscores in formulas', async () => {
    expect(await html('$$a*b*c_d_e$$')).not.toContain('<em>')
  })
})

describe('Markdown times', () => {
  const time = (utc: string, text: string) => `<time datetime="${utc}">${text}</time>`
  const invalidTimeHtml = (text: string) => `<span class="timestamp-error">Invalid time format: ${text}</span>`

  it.each([
    ['a UTC time', '<time:2026-01-02T03:04:05Z>', time('2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z')],
    [
      'a time with an offset',
      '<time:2026-01-02T03:04:05+05:30>',
      time('2026-01-01T21:34:05Z', '2026-01-02T03:04:05+05:30'),
    ],
    [
      'a time with an offset without a colon',
      '<time:2026-01-02 03:04 -0100>',
      time('2026-01-02T04:04:00Z', '2026-01-02 03:04 -0100'),
    ],
    ['a date', '<time:2026-01-02>', time('2026-01-02T00:00:00Z', '2026-01-02')],
    ['a Unix time', '<time:1700000000>', time('2023-11-14T22:13:20Z', '1700000000')],
    ['an unknown time as an error', '<time:soon>', invalidTimeHtml('soon')],
    ['an impossible time as an error', '<time:2026-02-30T25:00:00Z>', invalidTimeHtml('2026-02-30T25:00:00Z')],
    ['an impossible date as an error', '<time:2024-02-30>', invalidTimeHtml('2024-02-30')],
    ['a leap day', '<time:2024-02-29>', time('2024-02-29T00:00:00Z', '2024-02-29')],
    ['a time with markup as an escaped error', '<time:"&*a*>', invalidTimeHtml('&quot;&amp;*a*')],
    ['a time in code as text', '`<time:2026-01-02>`', '<code>&lt;time:2026-01-02&gt;</code>'],
    ['an unclosed time as text', '<time:2026-01-02', '&lt;time:2026-01-02'],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(`<p>${expected}</p>`)
  })
})
