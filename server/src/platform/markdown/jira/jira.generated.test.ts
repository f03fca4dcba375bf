import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effort } from '../../../testing/effort.ts'
import { html } from '../testing/context.ts'
import { documentToMarkdown } from './document.ts'
import { jiraToMarkdown } from './wiki.ts'

const pieces = [
  Array.from('*_-+~^{}[]()|!\\`<>#@:?/&$ \n'),
  [
    '**',
    '@*all*',
    '@**Ann Lee**',
    '@_*',
    '*Ann Lee*',
    '#*general*',
    '@*',
    '*backend*',
    '{*}',
    '{_}',
    '{-}',
    '@{*}all{*}',
    'all',
    'x',
  ],
  [
    '{code}',
    '{code:spoiler}',
    '{code:quote}',
    '{noformat}',
    '{quote}',
    '{panel:title=@*all*}',
    '{panel}',
    '{color:red}',
    '{{',
    '}}',
  ],
  [
    '[x|https://a.example/@*all*]',
    'https://a.example/',
    '[~ann]',
    '[~all]',
    '[^',
    '|',
    '||',
    '\n|',
    '|\n',
    'h1. ',
    'bq. ',
    '* ',
    '## ',
    '----',
  ],
  ['\n\n', '    ', '\\\\', '\\', '@Ann Lee', '&nbsp;', '\uFDD0', '\uFDD3', '!a.png!', '<time:', '$$', '```', '1. '],
].flat()
const hostileText = fc
  .array(fc.constantFrom(...pieces), { maxLength: 40, size: 'max' })
  .map((chosen) => chosen.join(''))

const anyMark = fc.record({
  type: fc.constantFrom('strong', 'em', 'strike', 'code', 'link'),
  attrs: fc.record({ href: fc.oneof(hostileText, fc.constant('https://a.example/@**all**')) }),
})
const KINDS = (
  'paragraph text hardBreak mention emoji inlineCard status date heading listItem bulletList orderedList taskList taskItem ' +
  'codeBlock blockquote table tableRow expand mediaSingle media mediaInline placeholder unknown'
).split(' ')
const { anyNode } = fc.letrec((tie) => ({
  anyNode: fc.record(
    {
      type: fc.constantFrom(...KINDS),
      text: hostileText,
      attrs: fc.record({
        text: hostileText,
        url: hostileText,
        id: fc.constantFrom('ann', 'all'),
        language: hostileText,
        title: hostileText,
        alt: hostileText,
      }),
      marks: fc.array(anyMark, { maxLength: 3 }),
      content: fc.array(tie('anyNode'), { maxLength: 4 }),
    },
    { requiredKeys: ['type'] },
  ),
}))

const LINKING_HTML = /user-mention|user-group-mention|class="stream|href="javascript/
const nameOf = (account: string): string => (account === 'ann' ? '*all* **all**' : account)

describe('hostile Jira texts', () => {
  it('mentions no one and links no channel in Jira wiki markup', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (source) => {
        expect(await html(jiraToMarkdown(source, nameOf))).not.toMatch(LINKING_HTML)
      }),
      { numRuns: effort(1_500) },
    )
  })

  it('mentions no one and links no channel in a Jira document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyNode, { maxLength: 4 }), async (content) => {
        expect(await html(documentToMarkdown({ type: 'doc', content }, nameOf))).not.toMatch(LINKING_HTML)
      }),
      { numRuns: effort(500) },
    )
  })

  it('converts JSON that is not a Jira document without failing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof documentToMarkdown(value)).toBe('string')
      }),
      { numRuns: effort(500) },
    )
  })

  it.each([
    ...new Set([
      ...pieces,
      '*a ',
      '_a ',
      '-a ',
      '{{a{',
      '[a',
      '!a',
      '{code:',
      '|a|\n',
      'x\n|a|\n',
      '* a\n',
      '********** a\n',
    ]),
  ])('truncates a text with many repetitions of %j', (piece) => {
    const source = piece.repeat(Math.ceil(2_000_000 / piece.length))
    expect(jiraToMarkdown(source).length).toBeLessThan(160_000)
  })
})
