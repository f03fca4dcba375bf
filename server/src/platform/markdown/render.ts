import { createYielder, waitForTurn } from '../../kernel/pauses.ts'
import { highlight, loadGrammar } from './code/highlighter.ts'
import { emojiNames, loadEmojiNames } from './emoji/names.ts'
import { createRenderer } from './renderer.ts'

export const { renderMessage, renderDescription, linksInTopic } = createRenderer({
  loadEmojiNames,
  emojiNames,
  loadGrammar,
  highlight,
  ownTurn: waitForTurn,
  pausing: createYielder,
})
