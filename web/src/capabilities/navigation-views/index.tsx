import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { togglePanel } from '../../platform/frame.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { MOVING_COMMANDS } from './moving.ts'
import { areViewsOpen, openFilter, openViews } from './open.ts'

const ViewsDialog = lazily(
  async () => (await import('./parts/views-dialog.tsx')).ViewsDialog,
  () => null,
)

export const navigationViews: Capability = {
  name: 'navigation-views',
  commands: [
    ...MOVING_COMMANDS,
    { id: 'navigation.filter', title: () => t().nav.filter, icon: 'search', keys: ['q'], run: openFilter },
    { id: 'navigation.views', title: () => t().nav.editViews, icon: 'menu', run: openViews },
    { id: 'frame.panel', title: () => t().panel.toggle, icon: 'panel', keys: [']'], run: togglePanel },
  ],
  overlays: [() => (areViewsOpen.value ? <ViewsDialog /> : null)],
}
