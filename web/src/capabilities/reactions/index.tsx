import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { openPicker, Picker } from './parts/picker.tsx'
import { Reactions } from './parts/reactions.tsx'
import { toggleReaction, USUAL } from './state.ts'

export const reactions: Capability = {
  name: 'reactions',
  messageActions: [
    {
      id: 'reactions.add',
      title: () => t().messages.react,
      icon: 'smile',
      keys: [':'],
      isQuick: true,
      run: (message, from) => openPicker(from, message),
    },
    {
      id: 'reactions.thumbsUp',
      title: () => t().messages.thumbsUp,
      icon: 'plus',
      keys: ['+'],
      run: (message) => {
        const [thumbsUp] = USUAL
        if (thumbsUp !== undefined) void toggleReaction(message, thumbsUp)
      },
    },
  ],
  overlays: [Picker],
  messageFooter: (message) => (message.reactions.length === 0 ? undefined : <Reactions message={message} />),
}
