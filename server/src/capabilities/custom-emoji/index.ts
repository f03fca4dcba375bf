import { capability, command, query } from '../../platform/capability.ts'
import { removeStoredFiles } from '../../platform/files/pending.ts'
import { deactivateCustomEmoji, storeEmoji, uploadCustomEmoji } from './actions.ts'
import * as contract from './contract.ts'
import { customEmojiProjection, customEmojiSnapshot, emojiFile, getCustomEmoji } from './queries.ts'
import { exportedTables } from './tables.ts'

export const customEmoji = capability({
  name: 'custom-emoji',
  tables: ['realm_emoji'],
  exportedTables,
  limits: [contract.CUSTOM_EMOJI_LIMIT],
  projections: [customEmojiProjection],
  routes: [
    query(contract.getCustomEmoji, getCustomEmoji),
    command(contract.uploadCustomEmoji, uploadCustomEmoji, { prepare: storeEmoji, undo: removeStoredFiles }),
    command(contract.deactivateCustomEmoji, deactivateCustomEmoji),
  ],
  // File names are unguessable, so that readers of a message can load the images without credentials.
  files: [{ path: '/user_avatars/emoji/:file(^[\\w-]{24}\\.(?:png|gif)$)', login: 'none', find: emojiFile }],
  events: [{ event: contract.customEmojiChanged }],
  snapshot: [{ eventTypes: ['realm_emoji'], observe: customEmojiSnapshot }],
})
