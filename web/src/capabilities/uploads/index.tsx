import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { lazily, withPart } from '../../platform/dom/lazy.tsx'
import { go } from '../../platform/router.ts'
import { mayRead } from '../channels/rights.ts'
import { channelById } from '../channels/state.ts'
import { viewedImage } from './state.ts'
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
      when: (place) => {
        const channel = 'channelId' in place ? channelById(place.channelId) : undefined
        return channel === undefined ? place.view === 'direct' : mayRead(channel)
      },
      run: (place) => void withPart(import('./files.ts'), ({ routeOfFileFilter }) => go(routeOfFileFilter({ place }))),
    },
  ],
  overlays: [() => (viewedImage.value === undefined ? null : <Viewer {...viewedImage.value} />)],
}
