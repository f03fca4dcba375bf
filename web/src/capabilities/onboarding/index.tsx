import { signal } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { whenIdle } from '../../platform/dom/idle.ts'
import { lazily } from '../../platform/dom/lazy.tsx'

const Hints = lazily(
  async () => (await import('./hint.tsx')).Hints,
  () => null,
)

/** Hints come once the view is there. */
const isReady = signal(false)

/** Hints for people who are new, on the controls that they are about; each is shown once, in whatever client. */
export const onboarding: Capability = {
  name: 'onboarding',
  overlays: [() => (isReady.value ? <Hints /> : null)],
  begin: () => {
    whenIdle(() => {
      isReady.value = true
    })
  },
}
