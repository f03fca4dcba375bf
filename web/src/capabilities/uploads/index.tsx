import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { lazily, withPart } from '../../platform/dom/lazy.tsx'
import { go } from '../../platform/router.ts'
import { viewedImage } from './viewing.ts'
import './parts/viewer.css'

const Viewer = lazily(
  async () => (await import('./parts/viewer.tsx')).Viewer,
  () => null,
)

export const uploads: Capability = {
  name: 'uploads',
  placeActions: [
    {
      id: 'uploads.files',
      title: () => t().nav.files,
      icon: 'attach',
      when: ({ view }) => ['topic', 'direct', 'channel-feed'].includes(view),
      run: (place) =>
        void withPart(import('./file-filter.ts'), ({ routeOfFileFilter }) => go(routeOfFileFilter({ place }))),
    },
  ],
  overlays: [() => (viewedImage.value === undefined ? null : <Viewer {...viewedImage.value} />)],
}
