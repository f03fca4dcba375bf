import type { Capability } from '../../kernel/capability.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { viewedImage } from './viewing.ts'
import './parts/viewer.css'

const Viewer = lazily(
  async () => (await import('./parts/viewer.tsx')).Viewer,
  () => null,
)

export const uploads: Capability = {
  name: 'uploads',
  overlays: [() => (viewedImage.value === undefined ? null : <Viewer link={viewedImage.value} />)],
}
