import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { escapeMarkdown } from '../../../platform/markdown/escape.ts'
import { blocksOfAttachment, markdownOfAttachment, markdownOfBlocks } from '../../../platform/markdown/slack-blocks.ts'
import { recordsIn, type SlackParts } from '../../../platform/markdown/slack-rich-text.ts'
import { markdownOfSlack } from '../../../platform/markdown/slack.ts'
import { escapeMentions } from './harmless.ts'
import { payloadOf, type Integration } from './requests.ts'
import { block, code, link, plain, quote } from './text.ts'

const text = z.optional(z.nullable(string))
const list = z.optional(z.nullable(z.array(z.unknown())))
const payload = z.object({ text, channel: text, blocks: list, attachments: list })

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
  emoji: (name) => (/^[\w+-]{1,60}$/.test(name) ? `:${name}:` : ''),
  unknown: () => undefined,
}

export const integration: Integration = {
  read(request) {
    const { text: said, channel, blocks, attachments } = payloadOf(request, payload)
    // If there are blocks, the text is only their summary for notifications.
    const shown = markdownOfBlocks(blocks, PARTS) || PARTS.markup(said ?? '')
    const attached = recordsIn(attachments).map((attachment) => {
      const { before, inside } = markdownOfAttachment(attachment, PARTS, blocksOfAttachment(attachment, PARTS))
      return [before, inside].filter((part) => part !== '').join('\n')
    })
    const content = [shown, ...attached].filter((part) => part !== '').join('\n\n')
    if (content === '') return undefined
    return { topic: (channel ?? '').replace(/^[#@]/, '') || 'Slack', content }
  },
  sample: { body: { channel: '#tests', text: 'This is a *test* of the connection.' } },
}

function withEmoji(markdown: string): string {
  return markdown.replace(
    /(?<!\w)\\:((?:\w|\\[_+-]){1,60})\\:/g,
    (_name, escapedName: string) => `:${escapedName.replaceAll('\\', '')}:`,
  )
}
