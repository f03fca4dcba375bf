import { capability, command, direct, query } from '../../platform/capability.ts'
import { deactivateCustomEmoji, uploadCustomEmoji } from './actions.ts'
import * as contract from './contract.ts'
import { customEmojiProjection, customEmojiSnapshot, emojiFile, getCustomEmoji } from './queries.ts'
import { carried } from './tables.ts'

/** Custom emoji: pictures that an organization adds to the emoji that everybody has. */
export const customEmoji = capability({
  name: 'custom-emoji',
  tables: ['realm_emoji'],
  carried,
  limits: [contract.CUSTOM_EMOJI_LIMIT],
  projections: [customEmojiProjection],
  routes: [
    query(contract.getCustomEmoji, getCustomEmoji),
    direct(contract.uploadCustomEmoji, uploadCustomEmoji),
    command(contract.deactivateCustomEmoji, deactivateCustomEmoji),
  ],
  // The name cannot be guessed, and messages show the pictures to all their readers.
  files: [{ path: '/user_avatars/emoji/:file(^[\\w-]{24}\\.(?:png|gif)$)', login: 'none', find: emojiFile }],
  events: [{ event: contract.customEmojiChanged }],
  snapshot: [{ eventTypes: ['realm_emoji'], observe: customEmojiSnapshot }],
})
