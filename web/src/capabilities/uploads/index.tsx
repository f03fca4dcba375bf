import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { viewing } from './viewing.ts'
import './parts/viewer.css'

const Viewer = lazily(
  async () => (await import('./parts/viewer.tsx')).Viewer,
  () => null,
)

export const uploads: Capability = {
  name: 'uploads',
  overlays: [() => (viewing.value === undefined ? null : <Viewer link={viewing.value} />)],
}
