import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effort } from '../../../testing/effort.ts'
import { renderMessage } from '../render.ts'
import { authorContext } from '../testing/context.ts'
import { hostileText } from '../testing/hostile-text.ts'
import { parseStrictHtml, assertOnlyWhitelisted } from '../whitelist.ts'
import { htmlDiff } from './diff.ts'

const INSERTED_TAG = '<span class="highlight_text_inserted">'
const DELETED_TAG = '<span class="highlight_text_deleted">'

/** Returns a diff's visible text without white space, and without the text that the mark `without` encloses. */
function textOf(diff: string, without: string): string {
  const open: string[] = []
  return diff
    .replace(/<(\/?)([a-z0-9]+)[^>]*?(\/?)>|[^<]+/g, (piece, slash?: string, name?: string, closed?: string) => {
      if (name === undefined) return open.includes(without) ? '' : piece
      if (slash === '/') open.pop()
      else if (closed === '' && !['br', 'hr', 'img'].includes(name)) open.push(piece)
      return ''
    })
    .replace(/\s+/g, '')
}

describe('message diffs', () => {
  it('renders safe HTML that contains both texts of any diff', async () => {
    const context = authorContext({ translateEmoticons: true })
    const similar = fc
      .tuple(hostileText, hostileText, hostileText, hostileText)
      .map(([start, middle, other, end]): [string, string] => [`${start}${middle}${end}`, `${start}${other}${end}`])
    await fc.assert(
      fc.asyncProperty(fc.oneof(similar, fc.tuple(hostileText, hostileText)), async ([before, after]) => {
        const [old, now] = [await renderMessage(before, context), await renderMessage(after, context)]
        const diff = await htmlDiff(old.html, now.html)
        assertOnlyWhitelisted(diff.replace(/highlight_text_(?:inserted|deleted)/g, 'k'))
        const aroundParagraphs = parseStrictHtml(diff).flatMap(({ tag, parents }) => (tag === 'p' ? parents : []))
        expect(aroundParagraphs).not.toContain('p')
        expect(diff.replace(/\s+/g, '')).not.toMatch(
          /<(?:table|thead|tbody|tr|\/t[dhr]|\/thead|\/tbody)>(?:<spanclass="highlight|[^<])/,
        )
        expect(textOf(diff, INSERTED_TAG)).toBe(textOf(old.html, INSERTED_TAG))
        expect(textOf(diff, DELETED_TAG)).toBe(textOf(now.html, DELETED_TAG))
        expect(await htmlDiff(old.html, now.html)).toBe(diff)
        expect(await htmlDiff(now.html, now.html)).toBe(now.html)
      }),
      { numRuns: effort(300) },
    )
  })
})
