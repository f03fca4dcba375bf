import { signal } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { whenIdle } from '../../platform/dom/idle.ts'
import { lazily } from '../../platform/dom/lazy.tsx'

const Hints = lazily(
  async () => (await import('./hint.tsx')).Hints,
  () => null,
)

const isReady = signal(false)

/** Shows hints for new people, each of them once across all clients. */
export const onboarding: Capability = {
  name: 'onboarding',
  overlays: [() => (isReady.value ? <Hints /> : null)],
  begin: () => {
    whenIdle(() => {
      isReady.value = true
    })
  },
}
