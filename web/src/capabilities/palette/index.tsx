import type { Capability } from '../../kernel/capability.ts'
import type { Command } from '../../kernel/command.ts'
import type { Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { go, shown } from '../../platform/router.ts'
import { undoLast } from '../../platform/undo.ts'
import { nextUnread } from '../unread/state.ts'
import { followUses } from './frecency.ts'
import { Palette } from './palette.tsx'
import { isPaletteOpen, openPalette } from './state.ts'

const to = (id: string, title: () => string, icon: Command['icon'], key: string, route: Route): Command => ({
  id,
  title,
  ...(icon === undefined ? {} : { icon }),
  keys: [key],
  run: () => go(route),
})

export const palette: Capability = {
  name: 'palette',
  begin: followUses,
  overlays: [() => (isPaletteOpen.value ? <Palette /> : null)],
  commands: [
    { id: 'palette.open', title: () => t().keys.palette, icon: 'search', keys: ['Ctrl+k'], run: openPalette },
    to('go.inbox', () => t().keys.inbox, 'inbox', 'i', { view: 'inbox' }),
    to('go.recent', () => t().keys.recent, 'recent', 't', { view: 'recent' }),
    to('go.feed', () => t().keys.feed, 'feed', 'a', { view: 'feed' }),
    to('go.writing', () => t().keys.writing, 'writing', 'd', { view: 'writing' }),
    {
      id: 'go.nextUnread',
      title: () => t().keys.nextUnread,
      icon: 'inbox',
      keys: ['n'],
      when: () => nextUnread() !== undefined,
      run: goToNextUnread,
    },
    { id: 'undo', title: () => t().app.undo, keys: ['Ctrl+z'], yieldsToFields: true, run: undoLast },
  ],
}

function goToNextUnread(): void {
  const route = shown()
  const here = route.view === 'topic' || route.view === 'direct' ? route : undefined
  const next = nextUnread(here)
  if (next !== undefined) go(next)
}
