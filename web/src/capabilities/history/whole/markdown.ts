import type { Message } from '../../../kernel/message.ts'
import { timeOfDay, isSameDay, fullDate } from '../../../kernel/time.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { readPoll, type Poll } from '../../polls/poll.ts'
import { shownName } from '../../muted-users/state.ts'
import { absoluteUrl, exportHeadOf, editNotes, reactionsOf, type ExportExtent } from './facts.ts'

export function headAsMarkdown(extent: ExportExtent): string {
  const { title, notes } = exportHeadOf(extent)
  return `# ${escapeText(title)}\n\n${notes.map(escapeText).join('  \n')}\n`
}

/** @param before the preceding message, for the date heading */
export function messagesAsMarkdown(messages: readonly Message[], before: Message | undefined): string {
  const previous = [before, ...messages]
  return messages.map((message, index) => messageAsMarkdown(message, previous[index])).join('')
}

function messageAsMarkdown(message: Message, before: Message | undefined): string {
  const { timestamp } = message
  const isNewDay = before === undefined || !isSameDay(before.timestamp, timestamp)
  const poll = readPoll(message)
  const notes = [timeOfDay(timestamp), ...editNotes(message)].map(escapeText).join(' · ')
  const reactions = reactionsOf(message).map(({ sign, names }) => `${escapeText(sign)} ${escapeText(names)}`)
  return [
    ...(isNewDay ? [`\n## ${escapeText(fullDate(timestamp))}\n`] : []),
    `\n**${escapeText(message.sender_full_name)}** · ${notes}\n`,
    `\n${poll === undefined ? withAbsoluteUrls(message.content) : pollAsMarkdown(poll)}\n`,
    ...(reactions.length === 0 ? [] : [`\n*${tl().whole.reactions}:* ${reactions.join(' · ')}\n`]),
  ].join('')
}

function pollAsMarkdown({ question, options }: Poll): string {
  const lines = options.map(({ text, voters }) => {
    const names = voters.map((id) => escapeText(shownName(id))).join(', ')
    return `* ${escapeText(text)} (${voters.length}${names === '' ? '' : `: ${names}`})`
  })
  return [`**${escapeText(question)}**`, '', ...lines].join('\n')
}

/** Matches code, which stays unchanged, and the beginnings of relative link URLs. */
const CODE_OR_LINK_URL = /(```+|~~~+)[^]*?(?:\n\1|$)|(`+)[^`][^]*?\2|\]\((\/[^)\s]*)/g

function withAbsoluteUrls(content: string): string {
  return content.replaceAll(CODE_OR_LINK_URL, (found: string, ...groups: (string | undefined)[]) => {
    const [, , path] = groups
    return path === undefined ? found : `](${absoluteUrl(path)}`
  })
}

function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|~&]/g, String.raw`\$&`)
}
