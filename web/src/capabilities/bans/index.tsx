import { signal } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { mayBan } from '../users/state.ts'

const bannedId = signal<number | undefined>(undefined)

const BanDialog = lazily(
  async () => (await import('./parts/dialog.tsx')).BanDialog,
  () => null,
)

export const bans: Capability = {
  name: 'bans',
  personActions: [
    {
      id: 'bans.ban',
      title: () => t().people.ban,
      icon: 'lock',
      when: mayBan,
      run: (userId) => {
        bannedId.value = userId
      },
    },
  ],
  overlays: [
    () =>
      bannedId.value === undefined ? null : (
        <BanDialog
          userId={bannedId.value}
          onClose={() => {
            bannedId.value = undefined
          }}
        />
      ),
  ],
}
