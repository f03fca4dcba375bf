import { pausing } from '../../kernel/pauses.ts'
import { highlight, loadGrammar } from './code/highlighter.ts'
import { emojiNames, loadEmojiNames } from './emoji/names.ts'
import { createRenderer } from './renderer.ts'

/** The renderer as the server runs it. */
export const { renderMessage, renderDescription, linksInTopic } = createRenderer({
  loadEmojiNames,
  emojiNames,
  loadGrammar,
  highlight,
  pausing,
})
