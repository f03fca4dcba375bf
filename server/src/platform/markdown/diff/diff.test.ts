import { describe, expect, it } from 'vitest'
import { html } from '../testing/context.ts'
import { htmlDiff, MAX_CHANGED_TOKENS, MAX_COMPARED_TOKENS } from './diff.ts'

const INSERTED_TAG = '<span class="highlight_text_inserted">'
const DELETED_TAG = '<span class="highlight_text_deleted">'

/** Returns a diff with `+[…]` around additions and `-[…]` around deletions. */
async function markedDiff(before: string, after: string): Promise<string> {
  const diff = await htmlDiff(await html(before), await html(after))
  const marks: string[] = []
  return diff.replace(/<span class="highlight_text_(\w+)">|<(\/?)span[^>]*>/g, (tag, mark?: string, slash?: string) => {
    if (mark !== undefined) {
      marks.push(']')
      return mark === 'inserted' ? '+[' : '-['
    }
    if (slash === '/') return marks.pop() ?? tag
    marks.push('</span>')
    return tag
  })
}

describe('message diffs', () => {
  it.each([
    ['one two three', 'one 2 three', '<p>one -[two]+[2] three</p>'],
    ['one', 'one two', '<p>one+[ two]</p>'],
    ['one two', 'one', '<p>one-[ two]</p>'],
    ['same', 'same', '<p>same</p>'],
    ['', 'all', '<p>+[all]</p>'],
    ['a **b** c', 'a b c', '<p>a b c</p>'],
    ['a b c', 'a **b** c', '<p>a <strong>b</strong> c</p>'],
    ['a [b](https://x.org) c', 'a c', '<p>a <a href="https://x.org">-[b]</a>-[ ]c</p>'],
    ['* a\n* b\n* c', '* a\n* c', '<ul>\n<li>a</li>\n<li>-[b]</li>\n<li>c</li>\n</ul>'],
    ['* a\n* b', '* a', '<ul>\n<li>a</li>\n<li>-[b]</li>\n</ul>'],
    ['* a', '* a\n* b', '<ul>\n<li>a</li>\n<li>+[b]</li>\n</ul>'],
    ['first\n\nsecond', 'second', '<p>-[first]</p>\n<p>second</p>'],
    ['first\n\nsecond', 'first second', '<p>first+[ ]second</p>'],
    ['1 < 2', '1 > 2', '<p>1 -[&lt;]+[&gt;] 2</p>'],
    ['नमस्ते', 'नमस्कार', '<p>-[नमस्ते]+[नमस्कार]</p>'],
    ['我喜欢猫', '我喜欢狗', '<p>我喜欢-[猫]+[狗]</p>'],
  ])('compares %j with %j', async (before, after, expected) => {
    expect(await markedDiff(before, after)).toBe(expected)
  })

  it('compares formulas, mentions, and emoji as whole units', async () => {
    const formula = await htmlDiff(await html('is $$x$$'), await html('is $$y$$'))
    expect(formula).toContain(`${DELETED_TAG}<span class="katex">`)
    expect(formula).toContain(`${INSERTED_TAG}<span class="katex">`)
    expect(await markedDiff('👩‍💻', '👩')).toMatch(
      /^<p>-\[<span [^>]*>:woman_technologist:<\/span>]\+\[<span [^>]*>:woman:<\/span>]<\/p>$/,
    )
    expect(await markedDiff('hi', 'hi @**Ann Lee**')).toBe(
      '<p>hi+[ <span class="user-mention" data-user-id="7">@Ann Lee</span>]</p>',
    )
  })

  it('marks removed table rows and shows both tables if columns changed', async () => {
    const [one, two] = ['|a|b|\n|-|-|\n|1|2|\n|3|4|', '|a|b|\n|-|-|\n|3|4|']
    expect(await markedDiff(one, two)).toContain('<tr>\n<td>-[1]</td>\n<td>-[2]</td>\n</tr>')
    const cell = await markedDiff('|a|b|\n|-|-|\n|1|2|', '|a|\n|-|\n|1|')
    expect(cell.replace(/<[^>]*>|\s/g, '')).toMatch(/^(-\[a]-\[b]-\[1]-\[2]\+\[a]\+\[1]|a-\[b]1-\[2])$/)
  })

  it.each([
    ['than can be marked', MAX_CHANGED_TOKENS / 2, MAX_CHANGED_TOKENS / 2],
    ['than can be compared', MAX_COMPARED_TOKENS / 2, 0],
  ])('shows both texts in full when they have more changed or common words %s', async (_, same, other) => {
    const text = (words: number, name: string): string => `${'a '.repeat(same)}${`${name} . `.repeat(words)}end`
    const [before, after] = [`<p>${text(other, 'b')}</p>`, `<p>${text(other, 'c')}</p>`]
    const within = `<p>${'a '.repeat(9)}end</p>`
    expect(await htmlDiff(within, within)).not.toContain('span')
    expect(await htmlDiff(before, after.replace('end', 'END'))).toBe(
      `<p>${DELETED_TAG}${before.slice(3, -4)}</span></p>\n<p>${INSERTED_TAG}${after.slice(3, -4).replace('end', 'END')}</span></p>`,
    )
  })
})
