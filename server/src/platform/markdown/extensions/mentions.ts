import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { continuesWord } from '../../../kernel/words.ts'
import { escapeHtml } from '../escape.ts'
import { jobOf } from '../job.ts'
import type { MarkdownContext, RenderJob } from '../job.ts'
import { findNameInAsterisks } from '../starred.ts'
import { tokenAt, TokenData } from '../tokens.ts'

type Mention =
  | { readonly kind: 'user'; readonly id: number; readonly name: string; readonly isDeactivated: boolean }
  | { readonly kind: 'group'; readonly id: number; readonly name: string; readonly isDeactivated: boolean }
  | { readonly kind: 'channel' | 'topic'; readonly name: string }

const mentionData = new TokenData<{ readonly mention: Mention; isSilent: boolean }>()

const AT_SIGN_CODE = 64
const CHANNEL_WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream'])
const TOPIC_WILDCARD = 'topic'

/** Parses `@**Ann**`, `@**|7**`, `@*group*`, `@**all**`, `@**topic**`. With `@_` or in quotes, they notify no one. */
export function mentionsExtension(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'mention', parseMention)
  md.core.ruler.push('mentioned', collectMentions)
  md.renderer.rules['mention'] = (tokens, index) => renderMention(tokenAt(tokens, index))
}

function parseMention(state: StateInline, silentRule: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== AT_SIGN_CODE || continuesWord(src, pos)) return false
  const isSilent = src.charAt(pos + 1) === '_'
  const start = pos + (isSilent ? 2 : 1)
  const { context } = jobOf(state.env)
  const read =
    findNameInAsterisks(state, start, '**', (text) => findPerson(text, context)) ??
    findNameInAsterisks(state, start, '*', (text) => findGroup(text, context))
  if (read === undefined) return false
  const { found, starred } = read
  state.pos = starred.end
  if (!silentRule) {
    const isQuiet = isSilent || ('isDeactivated' in found && found.isDeactivated)
    mentionData.attach(state.push('mention', '', 0), { mention: found, isSilent: isQuiet })
  }
  return true
}

export function findPerson(given: string, context: MarkdownContext): Mention | undefined {
  const name = given.normalize('NFC')
  if (CHANNEL_WILDCARDS.has(name)) return { kind: 'channel', name }
  if (name === TOPIC_WILDCARD) return { kind: 'topic', name }
  const user = context.userByName(name) ?? findUserByNameAndId(name, context)
  return user && { kind: 'user', id: user.id, name: user.full_name, isDeactivated: user.isDeactivated }
}

function findUserByNameAndId(text: string, context: MarkdownContext) {
  const [, name, id] = /^(.*)\|(\d{1,15})$/.exec(text) ?? []
  const user = id === undefined ? undefined : context.userById(Number(id))
  return name === '' || name === user?.full_name ? user : undefined
}

export function findGroup(name: string, context: MarkdownContext): Mention | undefined {
  const group = context.groupByName(name)
  return group && { kind: 'group', id: group.id, name: group.name, isDeactivated: group.isDeactivated }
}

function collectMentions(state: StateCore): void {
  const job = jobOf(state.env)
  let quotes = 0
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes++
    if (token.type === 'blockquote_close') quotes--
    for (const child of token.children ?? []) {
      if (child.type !== 'mention') continue
      const data = mentionData.of(child)
      data.isSilent ||= quotes > 0
      if (!data.isSilent) collectMention(job, data.mention)
    }
  }
}

function collectMention(job: RenderJob, found: Mention): void {
  if (found.kind === 'user') job.mentionedUserIds.add(found.id)
  else if (found.kind === 'group') job.mentionedGroupIds.add(found.id)
  else job.wildcards.add(found.kind)
}

function renderMention(token: Token): string {
  const { mention: found, isSilent } = mentionData.of(token)
  const silent = isSilent ? ' silent' : ''
  const text = escapeHtml(isSilent ? found.name : `@${found.name}`)
  switch (found.kind) {
    case 'user':
      return `<span class="user-mention${silent}" data-user-id="${found.id}">${text}</span>`
    case 'group':
      return `<span class="user-group-mention${silent}" data-user-group-id="${found.id}">${text}</span>`
    case 'channel':
      return `<span class="user-mention channel-wildcard-mention${silent}" data-user-id="*">${text}</span>`
    case 'topic':
      return `<span class="topic-mention${silent}">${text}</span>`
  }
}
