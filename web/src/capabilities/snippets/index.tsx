import type { Capability } from '../../kernel/capability.ts'
import { lazy } from '../../platform/lazy.tsx'
import { opened } from './open.ts'
import './parts/snippets.css'

const Snippets = lazy(async () => (await import('./parts/snippets.tsx')).Snippets)

export const snippets: Capability = {
  name: 'snippets',
  overlays: [() => (opened.value === undefined ? null : <Snippets />)],
}
