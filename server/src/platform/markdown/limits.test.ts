import { describe, expect, it } from 'vitest'
import { MAX_BLOCK_LEVELS, MAX_INLINE_LEVELS, MAX_TABLE_CELLS_PER_MESSAGE } from './extensions/limits.ts'
import { MAX_PREVIEWS_PER_MESSAGE } from './extensions/uploads.ts'
import { MAX_TEX_CHARACTERS_PER_MESSAGE } from './extensions/math.ts'
import { renderMessage } from './render.ts'
import { MAX_HTML_CHARACTERS } from './renderer.ts'
import { authorContext, html } from './testing/context.ts'
import { parseStrictHtml, assertOnlyWhitelisted } from './whitelist.ts'

const MAX_MESSAGE_CHARACTERS = 10_000

const HOSTILE_UNITS = [
  [
    '*',
    '**',
    '***a',
    '_',
    '~~',
    '`',
    '```',
    '```\n',
    '```quote\n',
    '```spoiler x\n',
    '~~~\n',
    '$',
    '$$',
    '$$a$$',
    '$$é$$',
  ],
  ['[', '![', '![![', '[a](', '[a](b', '[a](<', '[a]("', ']', '](', '[[a](b)', '(', '<', '<time:', '<a ', '<http:'],
  [
    '> ',
    '>\n',
    '- ',
    '- - ',
    '1) > ',
    '> - ',
    '# ',
    '|',
    'a|',
    '|a\n|-|\n',
    '\n|-|-\n',
    '---\n',
    '    a\n',
    'a\n',
    '\t',
  ],
  [':', ':a:', ':tada:', ':+1', '🎉', '👨\u200d', '@', '@**', '@**a', '@*', '#**', '#**a>', '@**all**', '#1 ', '<3 '],
  [
    'http://',
    'http://a.b/',
    'http://a.b/((',
    'www.',
    'a.b.',
    'a@b.',
    'a.io/,',
    'a.io?',
    '://',
    '\\',
    '\\*',
    '&amp;',
    '\u0000',
    'a',
    ' ',
    '\n',
  ],
].flat()

function repeat(unit: string): string {
  return unit.repeat(Math.ceil(MAX_MESSAGE_CHARACTERS / unit.length)).slice(0, MAX_MESSAGE_CHARACTERS)
}

function mirror(unit: string): string {
  return `${repeat(unit).slice(0, 5_000)}a${repeat([...unit].toReversed().join('')).slice(0, 4_999)}`
}

describe('hostile messages', () => {
  const context = authorContext({
    linkifiers: [{ id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}' }],
    translateEmoticons: true,
  })

  it.each(HOSTILE_UNITS)('renders shallow, small, and complete HTML for repeated %j', async (unit) => {
    for (const source of [repeat(unit), `a${repeat(unit)}`.slice(0, MAX_MESSAGE_CHARACTERS), mirror(unit)]) {
      const { html: rendered } = await renderMessage(source, context)
      expect(rendered.length).toBeLessThanOrEqual(MAX_HTML_CHARACTERS)
      assertOnlyWhitelisted(rendered)
      const depths = parseStrictHtml(rendered)
        .filter(({ parents }) => !parents.includes('math') && !parents.includes('svg'))
        .map(({ parents }) => parents.length)
      expect(Math.max(0, ...depths)).toBeLessThan(MAX_BLOCK_LEVELS + MAX_INLINE_LEVELS + 20)
    }
  })
})

describe('Markdown limits', () => {
  it('shows quotations nested beyond the limit as typed', async () => {
    const rendered = await html(`${'>'.repeat(100)}deep`)
    expect(rendered.match(/<blockquote>/g)).toHaveLength(MAX_BLOCK_LEVELS)
    expect(rendered).toContain(`${'&gt;'.repeat(100 - MAX_BLOCK_LEVELS)}deep`)
  })

  it('shows lists nested beyond the limit as typed', async () => {
    const lines = Array.from({ length: 40 }, (_, level) => `${'  '.repeat(level)}- item${level}`)
    const rendered = await html(lines.join('\n'))
    for (let level = 0; level < lines.length; level++) expect(rendered).toContain(`item${level}`)
  })

  it('shows emphasis nested beyond the limit as typed', async () => {
    const rendered = await html(`${'*a '.repeat(50)}${'b* '.repeat(50)}`)
    expect(rendered.match(/<em>/g)).toHaveLength(MAX_INLINE_LEVELS)
    expect(rendered.match(/\*/g)).toHaveLength(2 * (50 - MAX_INLINE_LEVELS))
  })

  it('shows tables with too many cells as typed, counting cells missing from short rows', async () => {
    const columns = 100
    const source = `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'b\n'.repeat(2_000)}`
    const rendered = await html(source)
    expect(rendered).not.toContain('<table>')
    expect(rendered.match(/b<br>/g)).toHaveLength(1_999)
    expect(MAX_TABLE_CELLS_PER_MESSAGE).toBeLessThan(columns * 2_000)
  })

  it('shows formulas beyond the limit as typed', async () => {
    const formula = `$$${'x'.repeat(900)}$$`
    const rendered = await html(Array.from({ length: 4 }, () => formula).join('\n\n'))
    expect(rendered.match(/<span class="katex">/g)).toHaveLength(Math.floor(MAX_TEX_CHARACTERS_PER_MESSAGE / 910))
    expect(rendered.match(/<span class="tex-error">\$\$x/g)).toHaveLength(2)
  })

  it('shows links beyond the preview limit without previews', async () => {
    const rendered = await html(Array.from({ length: 40 }, (_, n) => `[a](/user_uploads/2/${n}.png)`).join(' '))
    expect(rendered.match(/<img /g)).toHaveLength(MAX_PREVIEWS_PER_MESSAGE)
    expect(rendered.match(/<a href="[^"]*">a</g)).toHaveLength(40)
  })

  it.each(['🎉', '☺️', ':tada:', ':parrot:', '🇩🇪'])(
    'renders a mention that follows too many emoji: %s',
    async (one) => {
      const times = Math.floor(9_900 / one.length)
      const { html: rendered, mentionedUserIds } = await renderMessage(
        `${one.repeat(times)} @**Ann Lee**`,
        authorContext(),
      )
      expect(mentionedUserIds).toEqual([7])
      expect(rendered).toContain('<span class="user-mention" data-user-id="7">@Ann Lee</span>')
      const drawn = rendered.match(/class="emoji/g) ?? []
      expect(drawn.length).toBeGreaterThan(300)
      expect(drawn.length + rendered.replace(/<[^>]*>[^<]*<\/span>|<[^>]*>/g, '').split(one).length - 1).toBe(times)
    },
  )

  it('shows a message beyond the total limit as typed, without mentions', async () => {
    const linkifiers = [
      { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: `https://bugs.example.org/${'x'.repeat(900)}/{id}` },
    ]
    const source = `@**Ann Lee** ${'#1 '.repeat(100)}`.trim()
    const { html: rendered, mentionedUserIds } = await renderMessage(source, authorContext({ linkifiers }))
    expect(rendered).toBe(`<p>${source}</p>`)
    expect(mentionedUserIds).toEqual([])
  })
})
