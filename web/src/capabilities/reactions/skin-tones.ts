import { preferredOneOf } from '../../platform/preferences.ts'

/** Modifiers of Unicode, lightest first. The first choice is no modifier. */
export const SKIN_TONES = ['', '\u{1F3FB}', '\u{1F3FC}', '\u{1F3FD}', '\u{1F3FE}', '\u{1F3FF}'] as const

export const PALM_EMOJI = '\u270B'

export const skinTone = preferredOneOf('reactions.skinTone', SKIN_TONES, '')

/** A person or body part, without the joined hands in a group of people, which keep their color. */
const TONEABLE_PART = /((?<!\u200D)\u{1F91D}|(?!\u{1F91D})\p{Emoji_Modifier_Base})\uFE0F?/gu

export function withSkinTone(sign: string, tone: string): string {
  return tone === '' ? sign : sign.replaceAll(TONEABLE_PART, `$1${tone}`)
}

const FAMILY_EMOJI = '\u{1F46A}'

/** Returns undefined if the emoji is not a single person or body part, or if no tone is chosen. */
export function withChosenTone(sign: string): string | undefined {
  const tone = skinTone.read()
  const isSingle = sign !== FAMILY_EMOJI && [...sign.matchAll(TONEABLE_PART)].length === 1
  return tone !== '' && isSingle ? withSkinTone(sign, tone) : undefined
}
