import type { Capability } from '../../kernel/capability.ts'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { withPart } from '../../platform/dom/lazy.tsx'

export const measurements: Capability = {
  name: 'measurements',
  begin: () => {
    // If loading fails offline, nothing is measured until the next start.
    runWhenIdle(() => {
      void withPart(
        import('./collecting.ts'),
        ({ startCollecting: collect }) => collect(),
        () => undefined,
      )
    })
  },
}
