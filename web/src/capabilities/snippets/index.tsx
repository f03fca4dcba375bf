import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { openedInsertion } from './open.ts'
import './parts/snippets.css'

const Snippets = lazily(
  async () => (await import('./parts/snippets.tsx')).Snippets,
  () => null,
)

export const snippets: Capability = {
  name: 'snippets',
  overlays: [() => (openedInsertion.value === undefined ? null : <Snippets />)],
}
