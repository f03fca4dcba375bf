import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { renderPlain } from './renderer.ts'
import { renderMessage } from './render.ts'
import { authorContext } from './testing/context.ts'

/** Context with a linkifier, which matches nothing but sends every message through the parser. */
const parserContext = authorContext({
  linkifiers: [{ id: 1, pattern: 'never\\x00matched', url_template: 'https://example.org' }],
  translateEmoticons: true,
})
const plainContext = { ...parserContext, linkifiers: [] }

const pieces = [
  ...Array.from('abcxyzéßñ字ʼℹ019 ,?!\'"()%+=-.<:*\n'),
  '  ',
  '. ',
  '...',
  '---',
  '1. ',
  '1) ',
  '- ',
  '+ ',
  '===',
  'www.x.org',
  'a.b',
  ' .',
  '(8',
  '=)',
  'PM',
]
const texts = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((chosen) => chosen.join(''))

it('renders plain text without the parser exactly as with the parser', async () => {
  let plain = 0
  await fc.assert(
    fc.asyncProperty(texts, async (source) => {
      if (renderPlain(source, plainContext) !== undefined) plain += 1
      expect(await renderMessage(source, plainContext)).toEqual(await renderMessage(source, parserContext))
    }),
    { numRuns: effort(5_000) },
  )
  expect(plain).toBeGreaterThan(effort(5_000) / 20)
})
