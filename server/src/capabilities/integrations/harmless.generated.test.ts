import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMessage } from '../../platform/markdown/render.ts'
import { authorContext } from '../../platform/markdown/testing/context.ts'
import { hostileText } from '../../platform/markdown/testing/hostile-text.ts'
import { effort } from '../../testing/effort.ts'
import { escapeMentions, escapeBlock } from './rules/harmless.ts'
import { quote } from './rules/text.ts'

describe('external Markdown', () => {
  it('renders any external Markdown without mentions or channel links', async () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      '\n',
      '\n```\n',
      '```',
      '~~~\n',
      '\\',
      '@**Ann Lee**',
      '#**general**',
      '* ',
      '  ',
      'a',
    )
    const texts = fc.oneof(
      hostileText,
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        for (const shown of [`a \`\n${escapeMentions(text)}`, escapeBlock(text), quote(text)]) {
          const { html: seen, mentionedUserIds, mentionsChannelWildcard } = await renderMessage(shown, authorContext())
          expect([mentionedUserIds, mentionsChannelWildcard]).toEqual([[], false])
          expect(seen).not.toMatch(/user-mention|user-group-mention|class="stream"/)
        }
      }),
      { numRuns: effort(400) },
    )
  })
})
