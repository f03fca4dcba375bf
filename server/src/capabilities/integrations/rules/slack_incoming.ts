import * as z from 'zod/mini'
import { isExcessiveJson } from '../../../kernel/excessive-json.ts'
import { string } from '../../../kernel/schemas.ts'
import { escapeMarkdown } from '../../../platform/markdown/escape.ts'
import { blocksOfAttachment, markdownOfAttachment, markdownOfBlocks } from '../../../platform/markdown/slack-blocks.ts'
import { recordsIn, type SlackParts } from '../../../platform/markdown/slack-rich-text.ts'
import { markdownOfSlack } from '../../../platform/markdown/slack.ts'
import { escapeMentions } from './harmless.ts'
import { payloadOf, type Integration } from './requests.ts'
import { block, code, link, plain, quote } from './text.ts'

const text = z.optional(z.nullable(string))
const anything = z.optional(z.unknown())
const props = z.optional(z.nullable(z.object({ attachments: anything, card: text })))
const payload = z.object({ text, channel: text, blocks: anything, attachments: anything, props })

/** Mentions no one: Slack's IDs mean nothing here. */
const PARTS: SlackParts = {
  markup: (said) => escapeMentions(markdownOfSlack(said)).trim(),
  words: (said) => withEmoji(escapeMarkdown(said)),
  // The only block that does not contain Slack markup.
  markdown: escapeMentions,
  code,
  preformatted: (said) => block(said),
  quote: (said) => `${quote(said).trim()}\n`,
  link: (label, address) => withEmoji(link(label, address)),
  user: (id) => plain(`@${id}`),
  group: (id) => plain(`@${id}`),
  channel: (id) => plain(`#${id}`),
  emoji: (name) => (/^[\w+'-]{1,60}(?:::skin-tone-\d(?:-\d)?)?$/.test(name) ? `:${name}:` : ''),
  unknown: () => undefined,
}

export const integration: Integration = {
  emojiNames: 'slack',
  read(request) {
    const { text: said, channel, blocks, attachments, props: more } = payloadOf(request, payload)
    // If there are blocks, the text is only their summary for notifications.
    const shown = markdownOfBlocks(listIn(blocks), PARTS) || PARTS.markup(said ?? '')
    const given = [...listIn(attachments), ...listIn(more?.attachments)]
    const attached = recordsIn(given).map((attachment) => {
      const { before, inside } = markdownOfAttachment(attachment, PARTS, blocksOfAttachment(attachment, PARTS))
      return [before, inside].filter((part) => part !== '').join('\n')
    })
    const content = [shown, ...attached, PARTS.markup(more?.card ?? '')].filter((part) => part !== '').join('\n\n')
    if (content === '') return undefined
    return { topic: (channel ?? '').replace(/^[#@]/, '') || 'Slack', content }
  },
  sample: { body: { channel: '#tests', text: 'This is a *test* of the connection.' } },
}

/** Accepts a single item, and the JSON text that forms contain. */
function listIn(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given
  if (typeof given === 'object' && given !== null) return [given]
  if (typeof given !== 'string' || isExcessiveJson(given)) return []
  try {
    return listIn(JSON.parse(given))
  } catch {
    return []
  }
}

function withEmoji(markdown: string): string {
  return markdown.replace(
    /(?<!\w)\\:((?:\w|\\[_+-]){1,60})\\:/g,
    (_name, escapedName: string) => `:${escapedName.replaceAll('\\', '')}:`,
  )
}
