import type { Capability } from '../../kernel/capability.ts'
import { whenIdle } from '../../platform/dom/idle.ts'
import { withPart } from '../../platform/part.ts'

/** How fast the client is for the person who uses it. What is measured stays in the tab. */
export const measurements: Capability = {
  name: 'measurements',
  begin: () => {
    // Where it cannot be loaded, since there is no connection, nothing is measured until the next start.
    whenIdle(() => {
      void withPart(
        import('./collecting.ts'),
        ({ collect }) => collect(),
        () => undefined,
      )
    })
  },
  settings: async () => (await import('./settings.ts')).sections,
}
