import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { store } from '../../platform/client.ts'
import { CustomEmoji } from './parts/custom-emoji.tsx'

export const sections: readonly SettingsSection[] = [
  {
    id: 'emoji',
    of: 'organization',
    title: () => ta().content.emoji,
    icon: 'smile',
    when: () => !store().read('is_guest'),
    groups: [{ settings: [{ id: 'own', kind: 'part', title: () => ta().content.ownEmoji, Part: CustomEmoji }] }],
  },
]
