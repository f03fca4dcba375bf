import { capability, command, direct, query } from '../../platform/capability.ts'
import type { FileCall, FoundFile } from '../../platform/files/serve.ts'
import { deactivateCustomEmoji, uploadCustomEmoji } from './actions.ts'
import * as contract from './contract.ts'
import { customEmojiProjection, emojiKey, presentCustomEmoji } from './queries.ts'

/** Custom emoji: pictures that an organization adds to the emoji that everybody has. */
export const customEmoji = capability({
  name: 'custom-emoji',
  tables: ['realm_emoji'],
  projections: [customEmojiProjection],
  routes: [
    query(contract.getCustomEmoji, ({ organization }) => ({
      emoji: presentCustomEmoji(organization.of(customEmojiProjection).byId.values()),
    })),
    direct(contract.uploadCustomEmoji, uploadCustomEmoji),
    command(contract.deactivateCustomEmoji, deactivateCustomEmoji),
  ],
  // Nobody guesses the name, and messages show the pictures to whoever reads them.
  files: [{ path: '/user_avatars/emoji/:file(^[\\w-]{24}\\.(?:png|gif)$)', login: 'none', find: emojiFile }],
  events: [{ event: contract.customEmojiChanged }],
  snapshot: [
    {
      eventTypes: ['realm_emoji'],
      observe: ({ organization }) => ({
        realm_emoji: presentCustomEmoji(organization.of(customEmojiProjection).byId.values()),
      }),
    },
  ],
})

async function emojiFile({ log, parameters }: FileCall): Promise<FoundFile> {
  const file = parameters['file'] ?? ''
  const type = file.endsWith('.gif') ? 'image/gif' : 'image/png'
  const key = emojiKey(log.organization.id, file)
  return Promise.resolve({ key, type, name: file, inline: true, keep: 'always' })
}
