import { describe, expect, it } from 'vitest'
import { html } from '../markdown/testing/context.ts'
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

describe('messages in emails', () => {
  it('keeps only the text of unknown markup', () => {
    const odd = '<p onclick="x">a</b><svg/onload=alert(1)><a href="javascript:x">b</a><!-- c --><p title=">">d < e & f'
    const { html: written, text } = mailContent(odd, READER)
    expect(parseStrictHtml(written).map(({ tag }) => tag)).toEqual(['p'])
    expect(written).not.toMatch(/onclick|svg|javascript|href/)
    expect(text).toMatch(/^ab/)
  })

  it.each([
    ['a **b** ~~c~~ `d`', 'a b c d'],
    ['a\nb', 'a\nb'],
    ['# Head\n\nText', 'Head\n\nText'],
    ['- a\n- b\n  1. c\n  2. d', '- a\n- b\n\n  1. c\n  2. d'],
    ['> a\n> b\n\nc', '> a\n> b\n\nc'],
    ['```py\nif x < 1:\n    y\n```', 'if x < 1:\n    y'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a | b\n1 | 2'],
    ['@**Ann Lee** :tada: :parrot:', '@Ann Lee 🎉 :parrot:'],
    ['$$x^2$$', 'x^2'],
    ['<time:2026-01-02T03:04:05Z>', 'Fri, Jan 2, 2026, 4:04 AM'],
    ['[words](https://example.org/a?b=1&c=2)', 'words (https://example.org/a?b=1&c=2)'],
    ['https://example.org/', 'https://example.org/'],
    ['[file](/user_uploads/1/ab/x.png)', 'file (https://chat.example.org/user_uploads/1/ab/x.png)'],
    ['```spoiler Title\nthe end\n```', 'Title\n\nHidden here.'],
    ['a & b < c "d"', 'a & b < c "d"'],
  ])('converts %j to plain text', async (source, expected) => {
    expect((await contentOf(source)).text).toBe(expected)
  })

  it('omits the content of spoilers', async () => {
    const both = await contentOf('```spoiler Title\nthe **end**\n```')
    expect(JSON.stringify(both)).not.toContain('end')
  })
})
