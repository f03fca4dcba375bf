import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { emojiCode, emojiNames, loadEmojiNames } from '../emoji/names.ts'
import { escapeHtml } from '../escape.ts'
import { jobOf } from '../job.ts'
import type { MarkdownContext } from '../job.ts'
import { replaceInText } from '../text-pieces.ts'

type Emoji = { readonly name: string; readonly code: string } | { readonly name: string; readonly url: string }

const COLON = 58
const NAME = /:([a-z0-9_+-]{1,64}):/iy
/** What Unicode recommends to show as emoji; never a part of a longer sequence that is not recommended. */
const CHARACTERS = new RegExp('(?<!\\u200D)\\p{RGI_Emoji}(?!\\u200D|\\p{Emoji_Modifier})', 'gv')
const EMOTICON = /(?<!\S)(?::\)|\(:|:\(|<3|:\||:\/|;\)|:D|:[Pp])(?=[\s.,!?]|$)/g

const NAME_OF_EMOTICON: Readonly<Record<string, string>> = {
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

/** `:tada:`, 🎉 itself, the organization's own, and `:)` for those who want that. An unknown name stays text. */
export function emoji(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'emoji', namedEmoji)
  md.core.ruler.before('text_join', 'emoji_characters', emojiCharacters)
  md.renderer.rules['emoji'] = (tokens, index) => renderEmoji(tokens[index]?.meta as unknown as Emoji) // made below
}

const MAY_HAVE_EMOJI = new RegExp(':[a-z0-9_+\\-]{1,64}:|\\p{RGI_Emoji}', 'iv')

export async function prepareEmoji(source: string, context: MarkdownContext): Promise<void> {
  if (context.translateEmoticons || MAY_HAVE_EMOJI.test(source)) await loadEmojiNames()
}

function namedEmoji(state: StateInline, silent: boolean): boolean {
  // In `std::b::c` the first colon belongs to the second; after another emoji none is pending.
  if (state.src.charCodeAt(state.pos) !== COLON || state.pending.endsWith(':')) return false
  NAME.lastIndex = state.pos
  const [written = '', name = ''] = NAME.exec(state.src) ?? []
  if (written === '' || state.pos + written.length > state.posMax) return false
  const found = emojiByName(name, jobOf(state.env).context)
  if (!found) return false
  state.pos += written.length
  if (!silent) state.push('emoji', '', 0).meta = { ...found }
  return true
}

function emojiByName(name: string, context: MarkdownContext): Emoji | undefined {
  const own = context.realmEmoji(name)
  if (own) return { name, url: own.url }
  const code = emojiNames().codeByName.get(name)
  return code === undefined ? undefined : { name, code }
}

function emojiCharacters(state: StateCore): void {
  const { context } = jobOf(state.env)
  const byName = (name: string) => tokenOf(state, emojiByName(name, context))
  replaceInText(state, CHARACTERS, (characters) => {
    const code = emojiCode(characters)
    const name = emojiNames().namesByCode.get(code)?.[0]
    return tokenOf(state, name === undefined ? undefined : { name, code })
  })
  if (!context.translateEmoticons) return
  replaceInText(state, EMOTICON, (emoticon) => byName(NAME_OF_EMOTICON[emoticon] ?? ''))
}

function tokenOf(state: StateCore, found: Emoji | undefined): Token | undefined {
  if (!found) return undefined
  const token = new state.Token('emoji', '', 0)
  token.meta = { ...found }
  return token
}

function renderEmoji(found: Emoji): string {
  const written = escapeHtml(`:${found.name}:`)
  const title = escapeHtml(found.name.replaceAll('_', ' '))
  if ('url' in found) {
    return `<img alt="${written}" class="emoji" src="${escapeHtml(found.url)}" title="${title}">`
  }
  return `<span aria-label="${title}" class="emoji emoji-${found.code}" role="img" title="${title}">${written}</span>`
}
