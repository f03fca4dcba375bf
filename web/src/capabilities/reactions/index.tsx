import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { isInArchivedChannel } from '../channels/state.ts'
import { Reactions } from './parts/reactions.tsx'
import { EmojiSign } from './parts/emoji.tsx'
import { openPicker, openedPicker } from './picking.ts'
import { COMMON_EMOJI, QUICK_EMOJI_COUNT, isOwnReaction, reactionGroups, recentEmoji, toggleReaction } from './state.ts'

const MENU_EMOJI_COUNT = 6

const Picker = lazily(
  async () => (await import('./parts/picker.tsx')).Picker,
  () => null,
)

export const reactions: Capability = {
  name: 'reactions',
  messageActions: [
    {
      id: 'reactions.add',
      title: () => t().messages.react,
      icon: 'smile',
      keys: [':'],
      isQuick: true,
      group: 'talk',
      when: (message) => !isInArchivedChannel(message),
      quickChoices: QUICK_EMOJI_COUNT,
      choices: (message) =>
        recentEmoji()
          .slice(0, MENU_EMOJI_COUNT)
          .map((emoji) => ({
            id: `${emoji.type}:${emoji.code}`,
            title: t().messages.reactWith(emoji.name.replaceAll('_', ' ')),
            sign: <EmojiSign emoji={emoji} />,
            isOn: isOwnReaction(message, emoji),
            run: () => void toggleReaction(message, emoji),
          })),
      run: (message, from, at) => openPicker(from, message, at),
    },
    {
      id: 'reactions.thumbsUp',
      title: () => t().messages.thumbsUp,
      icon: 'plus',
      keys: ['+'],
      isKeyOnly: true,
      when: (message) => !isInArchivedChannel(message),
      run: (message) => {
        const [thumbsUp] = COMMON_EMOJI
        if (thumbsUp !== undefined) void toggleReaction(message, thumbsUp)
      },
    },
    {
      id: 'reactions.same',
      title: () => t().messages.reactSame,
      icon: 'smile',
      keys: ['='],
      isKeyOnly: true,
      when: (message) => message.reactions.length > 0 && !isInArchivedChannel(message),
      run: (message) => {
        const [first] = reactionGroups(message)
        if (first !== undefined) void toggleReaction(message, first)
      },
    },
  ],
  overlays: [() => (openedPicker.value === undefined ? null : <Picker />)],
  messageFooter: (message) => (message.reactions.length === 0 ? undefined : <Reactions message={message} />),
}
