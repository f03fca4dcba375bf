import { cut } from '../../../kernel/characters.ts'
import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { markdownOfSlack } from '../../../platform/markdown/slack.ts'
import { harmless } from './harmless.ts'
import { payloadOf, type Integration } from './requests.ts'
import { element, richText, textObject } from './slack-rich-text.ts'
import { isGiven, link, plain } from './text.ts'

const text = z.optional(z.nullable(string))
const words = z.optional(z.union([textObject, string]))
/** What stands beside a text, of which a link or a picture can be shown. */
const accessory = z.object({ text: words, url: text, image_url: text, alt_text: text })

const block = z.object({
  type: string,
  text: words,
  fields: z.optional(z.array(textObject)),
  elements: z.optional(z.array(element)),
  accessory: z.optional(z.nullable(accessory)),
  image_url: text,
  alt_text: text,
})

/** What programs have at hand, though the documents speak of texts alone. */
const shortValue = z.optional(z.nullable(z.union([string, z.number(), z.boolean()])))

const attachment = z.object({
  fallback: text,
  pretext: text,
  author_name: text,
  title: text,
  title_link: text,
  text,
  fields: z.optional(z.nullable(z.array(z.object({ title: text, value: shortValue })))),
  blocks: z.optional(z.array(block)),
  actions: z.optional(z.nullable(z.array(accessory))),
  image_url: text,
  thumb_url: text,
  footer: text,
})

const payload = z.object({
  text,
  channel: text,
  blocks: z.optional(z.nullable(z.array(block))),
  attachments: z.optional(z.nullable(z.array(attachment))),
})

/** What a program sends that was written for Slack's incoming webhooks. */
export const slackIncoming: Integration = {
  read(request) {
    const { text: said, channel, blocks, attachments } = payloadOf(request, payload)
    const fromBlocks = (blocks ?? []).map(blockText)
    // With blocks, the text is what stands for them in notifications.
    const shown = fromBlocks.some((part) => part !== '') ? fromBlocks : [marked(said)]
    const content = [...shown, ...(attachments ?? []).map(attachmentText)].filter((part) => part !== '').join('\n\n')
    if (content === '') return undefined
    return { topic: (channel ?? '').replace(/^[#@]/, '') || 'Slack', content }
  },
  sample: { body: { channel: '#tests', text: 'This is a *test* of the connection.' } },
}

type Said = z.output<typeof text>

function marked(said: Said): string {
  return harmless(markdownOfSlack(said ?? '')).trim()
}

type Text = z.output<typeof words>

function textOf(given: Text): string {
  return marked(typeof given === 'string' ? given : given?.text)
}

function blockText(given: z.output<typeof block>): string {
  const { type, text: said, fields, elements, accessory: beside, image_url, alt_text } = given
  switch (type) {
    case 'header':
      return `**${withEmoji(plain(bare(said)))}**`
    case 'rich_text':
      return richText(elements ?? [])
    case 'markdown':
      // The one block that is not in the markup of Slack.
      return harmless(bare(said)).trim()
    case 'divider':
      return '---'
    case 'image':
      return link(alt_text ?? 'Picture', image_url)
    case 'context':
      return joined((elements ?? []).map((one) => besideText(one) || textOf(one.text)))
    case 'actions':
      return joined((elements ?? []).map(besideText))
    default:
      return [textOf(said), ...(fields ?? []).map((field) => marked(field.text)), besideText(beside)]
        .filter((part) => part !== '')
        .join('\n')
  }
}

function bare(given: Text): string {
  return typeof given === 'string' ? given : (given?.text ?? '')
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

/** A button with an address, or a picture; other things cannot be used here. */
function besideText(given: z.output<typeof accessory> | null | undefined): string {
  if (isGiven(given?.url)) return withEmoji(link(bare(given.text) || 'Open', given.url))
  return isGiven(given?.image_url) ? link(given.alt_text || 'Picture', given.image_url) : ''
}

/** Names of emoji within escaped words, as they have to be written. */
function withEmoji(markdown: string): string {
  return markdown.replace(
    /(?<!\w)\\:((?:\w|\\[_+-]){1,60})\\:/g,
    (_name, escapedName: string) => `:${escapedName.replaceAll('\\', '')}:`,
  )
}

function attachmentText(given: z.output<typeof attachment>): string {
  const { fallback, pretext, author_name, title, title_link, text: said, fields, blocks, actions, footer } = given
  const parts = [
    marked(pretext),
    isGiven(author_name) ? `**${plain(author_name)}**` : '',
    isGiven(title) && title !== '' ? `**${link(title, title_link)}**` : '',
    marked(said),
    ...(fields ?? []).map(fieldText),
    ...(blocks ?? []).map(blockText),
    ...[given.image_url, given.thumb_url].map((url) => (isGiven(url) ? link('Picture', url) : '')),
    ...(actions ?? []).map(besideText),
    marked(footer),
  ].filter((part) => part !== '')
  return parts.length === 0 ? cut(marked(fallback), 2_000) : parts.join('\n')
}

function fieldText({ title, value }: { readonly title?: Said; readonly value?: z.output<typeof shortValue> }): string {
  const [name, said] = [plain(title ?? ''), marked(String(value ?? ''))]
  return name === '' ? said : `**${name}**: ${said}`.trim()
}
