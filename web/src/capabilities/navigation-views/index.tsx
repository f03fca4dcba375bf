import { effect } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { isNarrow, togglePanel, toggleSidebar } from '../../platform/frame.ts'
import { lazily, withPart } from '../../platform/dom/lazy.tsx'
import { go, hasPanelDetails, shownRoute } from '../../platform/router.ts'
import { routeOfFragment } from '../places/fragments.ts'
import { ownId } from '../users/state.ts'
import { MOVING_COMMANDS } from './commands.ts'
import { isViewsDialogOpen, viewToName, openFilter, openViewsDialog, findCustomView } from './state.ts'

const ViewsDialog = lazily(
  async () => (await import('./parts/views-dialog.tsx')).ViewsDialog,
  () => null,
)
const NameDialog = lazily(
  async () => (await import('./parts/views-dialog.tsx')).NameDialog,
  () => null,
)

function canBeView(place: Place): boolean {
  return place.view === 'search' ? place.query !== '' : ['topic', 'direct', 'channel-feed'].includes(place.view)
}

export const navigationViews: Capability = {
  name: 'navigation-views',
  begin: followFragment,
  commands: [
    ...MOVING_COMMANDS,
    { id: 'navigation.filter', title: () => t().nav.filter, icon: 'search', keys: ['q'], run: openFilter },
    { id: 'navigation.views', title: () => t().nav.editViews, icon: 'menu', run: openViewsDialog },
    {
      id: 'frame.sidebar',
      title: () => t().nav.toggleSidebar,
      icon: 'sidebar',
      keys: ['['],
      when: () => !isNarrow.value,
      run: toggleSidebar,
    },
    {
      id: 'frame.panel',
      title: () => t().panel.toggle,
      icon: 'panel',
      keys: [']'],
      when: hasPanelDetails,
      run: togglePanel,
    },
  ],
  placeActions: [
    {
      id: 'navigation.toggleView',
      title: (place) => (findCustomView(place) === undefined ? t().nav.addView : t().nav.removeView),
      icon: 'menu',
      isOn: (place) => findCustomView(place) !== undefined,
      when: canBeView,
      run: (place) => void withPart(import('./actions.ts'), ({ toggleView }) => toggleView(place)),
    },
  ],
  overlays: [
    () => (isViewsDialogOpen.value ? <ViewsDialog /> : null),
    () => (viewToName.value === undefined ? null : <NameDialog />),
  ],
}

/** Opens legacy URLs, such as `/#narrow/channel/5-garden/topic/beans`, which occur in emails and on other pages. */
function followFragment(): void {
  effect(() => {
    const route = shownRoute()
    if (route.view !== 'direct') return
    const others = route.userIds.filter((id) => id !== ownId())
    // Removes the current user from a link that another participant copied.
    if (others.length > 0 && others.length < route.userIds.length) go({ ...route, userIds: others }, { replace: true })
  })
  const show = (): void => {
    const route = routeOfFragment(window.location.hash)
    if (route !== undefined) go(route, { replace: true })
  }
  show()
  window.addEventListener('hashchange', show)
}
