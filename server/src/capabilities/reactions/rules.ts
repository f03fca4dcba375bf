import { ApiError } from '../../kernel/refusal.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { EXTRA_EMOJI_NAMES } from '../../platform/http/names.ts'
import { withoutVariationSelectors, type EmojiNames } from '../../platform/markdown/emoji/codes.ts'
import { customEmojiById, customEmojiByName, type EmojiRow } from '../custom-emoji/queries.ts'
import type { Reaction } from '../messages/contract/index.ts'
import { EXTRA_EMOJI } from './contract.ts'

export type Emoji = Pick<Reaction, 'emoji_name' | 'emoji_code' | 'reaction_type'>

export interface EmojiContext {
  readonly names: EmojiNames
  readonly organization: OrganizationState
}

export interface EmojiInput {
  readonly emoji_name?: string | undefined
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
}

export interface EmojiOnMessage extends Emoji {
  readonly mine: boolean
}

/** Accepts a code with any known name, because clients and the server give the same name to different emoji. */
export function emojiToAdd(
  known: EmojiContext,
  named: EmojiInput & { readonly emoji_name: string },
  present: readonly EmojiOnMessage[],
): Emoji & { readonly mine: boolean; readonly isThere: boolean } {
  const { emoji_name, emoji_code, reaction_type } = named
  const emoji =
    emoji_code === undefined
      ? emojiByName(known, emoji_name, reaction_type)
      : { emoji_name, ...emojiByCode(known, named, emoji_code) }
  const there = present.find((candidate) => isSameEmoji(candidate, emoji))
  if (there !== undefined) return { ...there, isThere: true }
  requireKnownEmoji(known, emoji)
  return { ...emoji, emoji_name: nameForExistingClients(known, emoji), mine: false, isThere: false }
}

/** Finds the actor's own reaction even if the emoji was renamed. */
export function emojiToRemove(
  known: EmojiContext,
  named: EmojiInput,
  present: readonly EmojiOnMessage[],
): EmojiOnMessage {
  const { emoji_name, emoji_code, reaction_type } = named
  const mine = present.filter((candidate) => candidate.mine)
  if (emoji_code !== undefined) {
    const emoji = emojiByCode(known, named, emoji_code)
    const own = mine.find((candidate) => isSameEmoji(candidate, emoji))
    if (own !== undefined) return own
    requireKnownCode(known, emoji)
    throw missingReactionError()
  }
  if (emoji_name === undefined) {
    throw new ApiError('BAD_REQUEST', 'At least one of these arguments is needed: emoji_name, emoji_code')
  }
  const shownAs = mine.find(
    (candidate) =>
      displayedName(known, candidate) === emoji_name &&
      (reaction_type === undefined || candidate.reaction_type === reaction_type),
  )
  if (shownAs !== undefined) return shownAs
  const emoji = emojiByName(known, emoji_name, reaction_type)
  const own = mine.find((candidate) => isSameEmoji(candidate, emoji))
  if (own === undefined) throw missingReactionError()
  return own
}

function isSameEmoji(one: Omit<Emoji, 'emoji_name'>, other: Omit<Emoji, 'emoji_name'>): boolean {
  return one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type
}

function missingReactionError(): ApiError {
  return new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
}

/** Finds an emoji by name. Custom emoji take precedence. */
function emojiByName({ names, organization }: EmojiContext, name: string, given: string | undefined): Emoji {
  const type = validEmojiType(given)
  const own = customEmojiByName(organization, name)
  if (own !== undefined && (type === undefined || type === 'realm_emoji')) {
    return { emoji_name: name, emoji_code: String(own.id), reaction_type: 'realm_emoji' }
  }
  if (type === 'realm_emoji') throw invalidCustomEmojiError()
  if (type === 'service_extra_emoji' ? isExtraEmojiName(name) : type === undefined && namesExtraEmoji(names, name)) {
    return { emoji_name: EXTRA_EMOJI, emoji_code: EXTRA_EMOJI, reaction_type: 'service_extra_emoji' }
  }
  const code = names.codeByName.get(name)
  if (code === undefined || (type !== undefined && type !== 'unicode_emoji')) throw invalidEmojiNameError(name)
  return { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
}

function isExtraEmojiName(name: string): boolean {
  return Object.values(EXTRA_EMOJI_NAMES).includes(name)
}

/** Whether the name means the extra emoji. Its neutral name, `service`, means a dog emoji in existing clients. */
function namesExtraEmoji({ apiNames }: EmojiNames, name: string): boolean {
  return isExtraEmojiName(name) && (apiNames === 'neutral' || name !== EXTRA_EMOJI_NAMES.neutral)
}

function nameForExistingClients({ names }: EmojiContext, { emoji_name, emoji_code, reaction_type }: Emoji): string {
  if (reaction_type === 'service_extra_emoji') return EXTRA_EMOJI
  if (reaction_type !== 'unicode_emoji') return emoji_name
  const own = names.namesByCode.get(emoji_code) ?? []
  return names.compatibleName(emoji_code, own.includes(emoji_name) ? emoji_name : (own[0] ?? emoji_name))
}

function displayedName({ names }: EmojiContext, { emoji_name, reaction_type }: Emoji): string {
  return reaction_type === 'service_extra_emoji' ? EXTRA_EMOJI_NAMES[names.apiNames] : emoji_name
}

function emojiByCode(known: EmojiContext, named: EmojiInput, given: string): Omit<Emoji, 'emoji_name'> {
  const reaction_type = emojiTypeOf(known, named, given)
  return { emoji_code: reaction_type === 'unicode_emoji' ? withoutVariationSelectors(given) : given, reaction_type }
}

/** Returns the given type or, if none is given, the type for which code and name match. */
function emojiTypeOf({ organization }: EmojiContext, named: EmojiInput, code: string): Emoji['reaction_type'] {
  const given = validEmojiType(named.reaction_type)
  if (given !== undefined) return given
  if (code === EXTRA_EMOJI) return 'service_extra_emoji'
  return customEmojiByCode(organization, code)?.name === named.emoji_name ? 'realm_emoji' : 'unicode_emoji'
}

function validEmojiType(given: string | undefined): Emoji['reaction_type'] | undefined {
  switch (given) {
    case undefined:
    case 'unicode_emoji':
    case 'realm_emoji':
    case 'service_extra_emoji':
      return given
    default:
      throw new ApiError('BAD_REQUEST', 'Invalid emoji type.')
  }
}

function requireKnownEmoji(known: EmojiContext, emoji: Emoji): void {
  requireKnownCode(known, emoji)
  if (emoji.reaction_type === 'realm_emoji') {
    const own = customEmojiByCode(known.organization, emoji.emoji_code)
    if (own?.deactivated === true) throw new ApiError('BAD_REQUEST', 'This custom emoji has been deactivated.')
    if (own?.name !== emoji.emoji_name) throw new ApiError('BAD_REQUEST', 'Invalid custom emoji name.')
    return
  }
  const ofServer = emoji.reaction_type === 'service_extra_emoji'
  const isKnown = ofServer ? isExtraEmojiName(emoji.emoji_name) : known.names.codeByName.has(emoji.emoji_name)
  if (!isKnown) throw invalidEmojiNameError(emoji.emoji_name)
}

function requireKnownCode(
  { names, organization }: EmojiContext,
  { emoji_code, reaction_type }: Omit<Emoji, 'emoji_name'>,
): void {
  if (reaction_type === 'realm_emoji') {
    if (customEmojiByCode(organization, emoji_code) === undefined) throw invalidCustomEmojiError()
    return
  }
  const ofServer = reaction_type === 'service_extra_emoji'
  const isKnown = ofServer ? emoji_code === EXTRA_EMOJI : names.namesByCode.has(emoji_code)
  if (!isKnown) throw new ApiError('BAD_REQUEST', 'Invalid emoji code.')
}

/** Finds a custom emoji whose ID in decimal is exactly the code. */
function customEmojiByCode(organization: OrganizationState, code: string): EmojiRow | undefined {
  const emoji = customEmojiById(organization, Number(code))
  return String(emoji?.id) === code ? emoji : undefined
}

function invalidCustomEmojiError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Invalid custom emoji.')
}

function invalidEmojiNameError(name: string): ApiError {
  return new ApiError('BAD_REQUEST', `Emoji '${name}' does not exist`)
}
