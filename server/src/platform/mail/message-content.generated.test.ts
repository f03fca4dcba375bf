import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { html } from '../markdown/testing/context.ts'
import { hostileText } from '../markdown/testing/hostile-text.ts'
import { parseStrictHtml } from '../markdown/whitelist.ts'
import { mailContent, type MailContent } from './message-content.ts'

const READER = {
  url: 'https://chat.example.org',
  language: 'en',
  timeZone: 'Europe/Berlin',
  uses24Hours: false,
  hiddenWords: 'Hidden here.',
}

const contentOf = async (source: string): Promise<MailContent> => mailContent(await html(source), READER)

const TAGS = 'p br strong em del a code pre blockquote ul ol li hr table thead tbody tr th td'.split(' ')

describe('messages in emails', () => {
  it('renders emails with only safe elements and attributes, which load nothing', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (source) => {
        for (const { tag, attributes } of parseStrictHtml((await contentOf(source)).html)) {
          expect(TAGS).toContain(tag)
          for (const [name, value] of attributes) {
            const isSafe = name === 'href' ? /^(?:https?:\/\/|mailto:)/.test(value) : !/url|expression|&|</i.test(value)
            expect([name, isSafe]).toEqual([name === 'href' ? name : 'style', true])
          }
        }
      }),
      { numRuns: effort(300) },
    )
  })
})
