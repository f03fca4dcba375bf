import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { emojiCode, followsColon, isInTechnicalText } from '../emoji/codes.ts'
import { escapeHtml } from '../escape.ts'
import { jobOf, spendBudget, type MarkdownContext, type RenderJob, type RendererParts } from '../job.ts'
import { replaceInText, turnIntoText, tokenAt, TokenData } from '../tokens.ts'

type Emoji = { readonly name: string; readonly code: string } | { readonly name: string; readonly url: string }

const emojiData = new TokenData<Emoji>()

/** Maximum ratio of HTML to text. A small amount is always allowed: 350 emoji with 80 characters of HTML each. */
const MAX_EMOJI_GROWTH = 30
const ALWAYS_ALLOWED_EMOJI_CHARACTERS = 30_000

const COLON_CODE = 58
const MAY_HAVE_NAME_PATTERN = /:[\w+\u0080-\uffff-]{1,64}:/
const NAME_PATTERN = /:([\w+\u0080-\uffff-]{1,64}):/y

let emojiExpression: RegExp | undefined

function emojiPattern(): RegExp {
  emojiExpression ??= new RegExp(
    [
      '\\p{Regional_Indicator}{2}',
      '[0-9#*]\\uFE0F\\u20E3',
      // A pictograph with a variation selector or skin tone, the tags of regional flags, and joined sequences of these.
      '\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?[\\u{E0020}-\\u{E007F}]*' +
        '(?:\\u200D\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)*',
    ].join('|'),
    'gu',
  )
  return emojiExpression
}

/** Whether a character is shown as an image. Signs such as ™ and ❤ are text unless a variation selector follows. */
const hasEmojiPresentation = (text: string): boolean => /[\p{Emoji_Presentation}\uFE0F]/u.test(text)

const EMOTICON_PATTERN = /(?<!\S)(?::\)|\(:|:\(|<3|:\||:\/|;\)|:D|:[Pp])(?=[\s.,!?]|$)/g

const NAME_BY_EMOTICON: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral_face',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':P': 'stuck_out_tongue',
  ':p': 'stuck_out_tongue',
}

export function emojiExtension(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'emoji', parseEmojiName)
  md.core.ruler.before('text_join', 'emoji_characters', replaceEmojiCharacters)
  md.core.ruler.before('text_join', 'surplus_emoji', showSurplusEmojiAsTyped)
  md.renderer.rules['emoji'] = (tokens, index) => renderEmoji(emojiData.of(tokenAt(tokens, index)))
}

export function prepareEmoji(
  source: string,
  context: MarkdownContext,
  parts: RendererParts,
): Promise<unknown> | undefined {
  return mayHaveEmoji(source, context) ? parts.loadEmojiNames(context.apiNames) : undefined
}

export function mayHaveEmoji(source: string, context: MarkdownContext): boolean {
  return context.translateEmoticons === true || MAY_HAVE_NAME_PATTERN.test(source) || hasEmojiPresentation(source)
}

function parseEmojiName(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== COLON_CODE) return false
  const isAfterEmoji = state.pending === '' && state.tokens.at(-1)?.type === 'emoji'
  if (!isAfterEmoji && followsColon(state.src, state.pos)) return false
  NAME_PATTERN.lastIndex = state.pos
  const [written = '', name = ''] = NAME_PATTERN.exec(state.src) ?? []
  const end = state.pos + written.length
  if (written === '' || end > state.posMax || isInTechnicalText(state.src, name, state.pos, end)) return false
  const found = emojiByName(name, jobOf(state.env))
  if (!found) return false
  state.pos = end
  if (!silent) attachEmoji(state.push('emoji', '', 0), found, written)
  return true
}

function emojiByName(name: string, { context, parts }: RenderJob): Emoji | undefined {
  const own = context.realmEmoji(name)
  if (own) return { name, url: own.url }
  const names = parts.emojiNames(context.apiNames)
  const code = names.codeByName.get(name)
  return code === undefined ? undefined : { name: names.compatibleName(code, name), code }
}

function replaceEmojiCharacters(state: StateCore): void {
  const job = jobOf(state.env)
  const { context, parts } = job
  const byName = (name: string, written: string) => createEmojiToken(state, emojiByName(name, job), written)
  if (hasEmojiPresentation(state.src)) {
    replaceInText(state, emojiPattern(), (found) => {
      if (!hasEmojiPresentation(found)) return undefined
      const code = emojiCode(found)
      const name = parts.emojiNames(context.apiNames).namesByCode.get(code)?.[0]
      return createEmojiToken(state, name === undefined ? undefined : { name, code }, found)
    })
  }
  if (!context.translateEmoticons) return
  replaceInText(state, EMOTICON_PATTERN, (emoticon) => byName(NAME_BY_EMOTICON[emoticon] ?? '', emoticon))
}

function createEmojiToken(state: StateCore, found: Emoji | undefined, written: string): Token | undefined {
  return found && attachEmoji(new state.Token('emoji', '', 0), found, written)
}

function attachEmoji(token: Token, found: Emoji, written: string): Token {
  token.markup = written
  return emojiData.attach(token, found)
}

function showSurplusEmojiAsTyped(state: StateCore): void {
  const limit = Math.max(MAX_EMOJI_GROWTH * jobOf(state.env).sourceCharacters, ALWAYS_ALLOWED_EMOJI_CHARACTERS)
  for (const { children } of state.tokens) {
    for (const token of children ?? []) {
      if (token.type !== 'emoji') continue
      if (!spendBudget(state.env, 'HTML of emoji', renderEmoji(emojiData.of(token)).length, limit))
        turnIntoText(token, token.markup)
    }
  }
}

function renderEmoji(found: Emoji): string {
  const written = escapeHtml(`:${found.name}:`)
  const title = escapeHtml(found.name.replaceAll('_', ' '))
  if ('url' in found) {
    return `<img alt="${written}" class="emoji" src="${escapeHtml(found.url)}" title="${title}">`
  }
  return `<span aria-label="${title}" class="emoji emoji-${found.code}" role="img" title="${title}">${written}</span>`
}
