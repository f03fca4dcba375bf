import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { codeLanguage } from './code/languages.ts'
import { findLanguages } from './extensions/code-blocks.ts'
import { mayHaveEmoji } from './extensions/emoji.ts'
import { mayHaveMath } from './extensions/math.ts'
import { renderDescription, renderMessage } from './render.ts'
import { authorContext } from './testing/context.ts'
import { hostileText } from './testing/hostile-text.ts'
import { assertOnlyWhitelisted } from './whitelist.ts'

const RUN_COUNT = effort(1_500)

const context = authorContext({
  linkifiers: [
    { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}' },
    { id: 2, pattern: 'J:(?P<where>\\S+)', url_template: '{+where}' },
  ],
  translateEmoticons: true,
})

describe('hostile messages', () => {
  it('renders only known tags, attributes, and links, properly nested', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (source) => {
        assertOnlyWhitelisted((await renderMessage(source, context)).html)
        assertOnlyWhitelisted(await renderDescription(source, context))
      }),
      { numRuns: RUN_COUNT },
    )
  })

  it('renders a message to the same HTML before and after rendering another message', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (source, another) => {
        const first = await renderMessage(source, context)
        await renderMessage(another, context)
        expect(await renderMessage(source, context)).toEqual(first)
      }),
      { numRuns: Math.ceil(RUN_COUNT / 10) },
    )
  })
})

describe('resources loaded on demand', () => {
  it('loads emoji, math, and grammars before rendering a text that uses them', async () => {
    const plain = { ...context, translateEmoticons: false }
    await fc.assert(
      fc.asyncProperty(hostileText, async (source) => {
        const { html: rendered } = await renderMessage(source, plain)
        const languages = [...findLanguages(source, plain)].map(({ displayName }) => displayName)
        const shown = Array.from(rendered.matchAll(/data-code-language="([^"]*)"/g), ([, name = '']) => name)
        expect({
          emoji: mayHaveEmoji(source, plain) || !rendered.includes('class="emoji'),
          math: mayHaveMath(source) || !/class="(?:katex|tex-error)/.test(rendered),
          languages: shown.filter((name) => codeLanguage(name) && !languages.includes(name)),
        }).toEqual({ emoji: true, math: true, languages: [] })
      }),
      { numRuns: RUN_COUNT },
    )
  })
})
