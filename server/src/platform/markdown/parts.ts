import type { ApiNames } from '../http/names.ts'
import type { Piece } from './code/highlighter.ts'
import type { CodeLanguage } from './code/languages.ts'
import type { EmojiNames } from './emoji/codes.ts'

/**
 * What the renderer gets from where it runs: a server has files and every grammar, a browser fetches what it needs and
 * colours no code. The rest of the renderer is the same in both.
 */
export interface RendererParts {
  /** Loads the names of emoji for a text that may have some. */
  readonly loadEmojiNames: (apiNames: ApiNames | undefined) => Promise<unknown>
  /** The names, once they are loaded. */
  readonly emojiNames: (apiNames: ApiNames | undefined) => EmojiNames
  /** Loads what colours code of the language. */
  readonly loadGrammar: (language: CodeLanguage) => Promise<void>
  /** Splits code into coloured pieces; undefined for code that is to stay plain. */
  readonly highlight: (code: string, grammar: string) => readonly Piece[] | undefined
  /** Begins long work: what is returned is awaited between its steps, so that it lets others go on meanwhile. */
  readonly pausing: () => () => Promise<void> | undefined
}
