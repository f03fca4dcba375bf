import type { MarkdownIt, StateInline } from 'markdown-it'
import { continuesWord } from '../../../kernel/words.ts'
import { jobOf } from '../job.ts'
import type { MarkdownContext } from '../job.ts'
import type { NarrowTarget } from '../narrow.ts'
import { findStarred } from '../starred.ts'
import { renderTargetLink, TARGET_LINK, targetLink } from '../target-link.ts'

const HASH = 35

/** Adds `#**channel**`, `#**channel>topic**`, and `#**channel>topic@123**` for channels that the author can see. */
export function channelLinks(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'channel_link', channelLink)
  md.renderer.rules[TARGET_LINK] = (tokens, index) => {
    const token = tokens[index]
    return token ? renderTargetLink(token) : ''
  }
}

function channelLink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== HASH || state.linkLevel > 0 || continuesWord(src, pos)) return false
  const { context } = jobOf(state.env)
  const read = findStarred(state, pos + 1, '**', (text) => {
    const target = findTarget(text, context)
    return target && targetLink(target, context)
  })
  if (read === undefined) return false
  state.pos = read.starred.end
  if (!silent) state.push(TARGET_LINK, '', 0).meta = { ...read.found }
  return true
}

const MAX_SEPARATORS = 4

/** Channel names can contain `>`, so the whole text is tried first, and then the text before each `>`. */
export function findTarget(given: string, context: MarkdownContext): NarrowTarget | undefined {
  const text = given.normalize('NFC')
  const whole = context.channelByName(text)
  if (whole) return { channelId: whole.id, topic: undefined, messageId: undefined }
  let separator = -1
  for (let tried = 0; tried < MAX_SEPARATORS; tried++) {
    separator = text.indexOf('>', separator + 1)
    if (separator < 0) return undefined
    const channel = context.channelByName(text.slice(0, separator))
    if (!channel) continue
    const [, topic = '', messageId] = /^(.*?)(?:@(\d{1,15}))?$/.exec(text.slice(separator + 1)) ?? []
    return { channelId: channel.id, topic, messageId: messageId === undefined ? undefined : Number(messageId) }
  }
  return undefined
}
