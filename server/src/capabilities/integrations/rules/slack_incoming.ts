import * as z from 'zod/mini'
import { isExcessiveJson } from '../../../kernel/excessive-json.ts'
import { string } from '../../../kernel/schemas.ts'
import { escapeMarkdown } from '../../../platform/markdown/escape.ts'
import {
  blocksOfAttachment,
  attachmentPartsToMarkdown,
  blocksToMarkdown,
} from '../../../platform/markdown/slack-blocks.ts'
import { toRecords, type SlackParts } from '../../../platform/markdown/slack-rich-text.ts'
import { markdownOfSlack } from '../../../platform/markdown/slack.ts'
import { escapeMentions } from './harmless.ts'
import { payloadOf, type Integration } from './requests.ts'
import { codeBlock, code, link, plainText, quote } from './text.ts'

const optionalText = z.optional(z.nullable(string))
const optionalUnknown = z.optional(z.unknown())
const mattermostProps = z.optional(z.nullable(z.object({ attachments: optionalUnknown, card: optionalText })))
const payload = z.object({
  text: optionalText,
  channel: optionalText,
  blocks: optionalUnknown,
  attachments: optionalUnknown,
  props: mattermostProps,
})

/** Escapes mentions, because Slack's user IDs mean nothing here. */
const SLACK_PART_CONVERTERS: SlackParts = {
  markup: (said) => escapeMentions(markdownOfSlack(said)).trim(),
  words: (said) => convertEmojiNames(escapeMarkdown(said)),
  // Unlike other blocks, Markdown blocks contain no Slack markup.
  markdown: escapeMentions,
  code,
  preformatted: (said) => codeBlock(said),
  quote: (said) => `${quote(said).trim()}\n`,
  link: (label, address) => convertEmojiNames(link(label, address)),
  user: (id) => plainText(`@${id}`),
  group: (id) => plainText(`@${id}`),
  channel: (id) => plainText(`#${id}`),
  emoji: (name) => (/^[\w+'-]{1,60}(?:::skin-tone-\d(?:-\d)?)?$/.test(name) ? `:${name}:` : ''),
  unknown: () => undefined,
}

export const integration: Integration = {
  emojiNames: 'slack',
  read(request) {
    const { text: said, channel, blocks, attachments, props: more } = payloadOf(request, payload)
    // If there are blocks, the text is only their summary for notifications.
    const shown = blocksToMarkdown(parseList(blocks), SLACK_PART_CONVERTERS) || SLACK_PART_CONVERTERS.markup(said ?? '')
    const given = [...parseList(attachments), ...parseList(more?.attachments)]
    const attached = toRecords(given).map((attachment) => {
      const { before, inside } = attachmentPartsToMarkdown(
        attachment,
        SLACK_PART_CONVERTERS,
        blocksOfAttachment(attachment, SLACK_PART_CONVERTERS),
      )
      return [before, inside].filter((part) => part !== '').join('\n')
    })
    const content = [shown, ...attached, SLACK_PART_CONVERTERS.markup(more?.card ?? '')]
      .filter((part) => part !== '')
      .join('\n\n')
    if (content === '') return undefined
    return { topic: (channel ?? '').replace(/^[#@]/, '') || 'Slack', content }
  },
  sample: { body: { channel: '#tests', text: 'This is a *test* of the connection.' } },
}

/** Accepts a list, a single item, or JSON text with either, as found in forms. */
function parseList(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given
  if (typeof given === 'object' && given !== null) return [given]
  if (typeof given !== 'string' || isExcessiveJson(given)) return []
  try {
    return parseList(JSON.parse(given))
  } catch {
    return []
  }
}

function convertEmojiNames(markdown: string): string {
  return markdown.replace(
    /(?<!\w)\\:((?:\w|\\[_+-]){1,60})\\:/g,
    (_name, escapedName: string) => `:${escapedName.replaceAll('\\', '')}:`,
  )
}
