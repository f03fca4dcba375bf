import type { ApiNames } from '../http/names.ts'
import type { Piece } from './code/highlighter.ts'
import type { CodeLanguage } from './code/languages.ts'
import type { EmojiNames } from './emoji/codes.ts'

/** A server has files and all grammars; a browser fetches data and highlights no code. */
export interface RendererParts {
  readonly loadEmojiNames: (apiNames: ApiNames | undefined) => Promise<unknown>
  readonly emojiNames: (apiNames: ApiNames | undefined) => EmojiNames
  readonly loadGrammar: (language: CodeLanguage) => Promise<void>
  /** Returns undefined if the code stays plain. */
  readonly highlight: (code: string, grammar: string) => readonly Piece[] | undefined
  /** Starts work that takes long; the returned function lets other work run between steps. */
  readonly pausing: () => () => Promise<void> | undefined
}
