import type { Capability, Command } from '../../kernel/capability.ts'
import type { IconName } from '../../kernel/icons.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { currentComposition } from '../composer/state.ts'
import type { ClipKind } from './clip.ts'

const recordCommand = (kind: ClipKind, icon: IconName): Command => ({
  id: `clips.${kind}`,
  title: () => t().clips[kind],
  icon,
  when: () => currentComposition.value !== undefined,
  run: () => {
    const { value: writing } = currentComposition
    if (writing !== undefined) void withPart(import('./actions.ts'), ({ startClip }) => startClip(writing, kind))
  },
})

export const clips: Capability = {
  name: 'clips',
  commands: [recordCommand('voice', 'microphone'), recordCommand('video', 'camera')],
}
