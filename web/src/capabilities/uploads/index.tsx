import type { Capability } from '../../kernel/capability.ts'
import { lazy } from '../../platform/lazy.tsx'
import { viewing } from './viewing.ts'
import './parts/viewer.css'

const Viewer = lazy(async () => (await import('./parts/viewer.tsx')).Viewer)

export const uploads: Capability = {
  name: 'uploads',
  overlays: [() => (viewing.value === undefined ? null : <Viewer />)],
}
