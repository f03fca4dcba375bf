import type { Capability, Command } from '../../kernel/capability.ts'
import type { IconName } from '../../kernel/icons.ts'
import { isPlace, placeKey, type ViewName } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { LoadingField } from '../../platform/dom/early-field.tsx'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { useLayer } from '../../platform/layers.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { isLatestChangeText, undoLastAction } from '../../platform/undo.ts'
import { nextUnread } from '../unread/state.ts'
import { closePalette, isPaletteOpen, openPalette, restoreFocus, textOnOpening } from './state.ts'

const Palette = lazily(
  async () => (await import('./palette.tsx')).Palette,
  () => <LoadingPalette />,
)

const viewCommand = (
  id: string,
  view: Exclude<ViewName, 'reports'>,
  icon: IconName,
  ...keys: readonly string[]
): Command => ({
  id,
  title: () => t().keys[view],
  icon,
  keys,
  run: () => go({ view }),
})

export const palette: Capability = {
  name: 'palette',
  begin() {
    runWhenIdle(() => {
      import('./entries.ts').then(({ recordVisits }) => recordVisits()).catch(() => undefined)
    })
  },
  overlays: [() => (isPaletteOpen.value ? <Palette /> : null)],
  commands: [
    { id: 'palette.open', title: () => t().keys.palette, icon: 'search', keys: ['Ctrl+k'], run: () => openPalette() },
    viewCommand('go.inbox', 'inbox', 'inbox', 'i'),
    viewCommand('go.recent', 'recent', 'recent', 't'),
    viewCommand('go.feed', 'feed', 'feed', 'a'),
    viewCommand('go.writing', 'writing', 'writing', 'd'),
    viewCommand('go.scheduled', 'scheduled', 'scheduled'),
    viewCommand('go.mentions', 'mentions', 'mentions'),
    viewCommand('go.starred', 'starred', 'starred'),
    viewCommand('go.reactions', 'reactions', 'smile'),
    viewCommand('go.reminders', 'reminders', 'reminders'),
    viewCommand('go.files', 'files', 'attach'),
    {
      id: 'go.nextUnread',
      title: () => t().keys.nextUnread,
      icon: 'inbox',
      keys: ['n'],
      when: () => nextUnread() !== undefined,
      run: goToNextUnread,
    },
    {
      id: 'undo',
      title: () => t().app.undo,
      keys: ['Ctrl+z'],
      yieldsToFields: isLatestChangeText,
      run: undoLastAction,
    },
  ],
}

/** Collects typed text until the palette has loaded. Until then, keys run no commands. */
function LoadingPalette() {
  useLayer(closePalette)
  return (
    <dialog class="dialog palette" open aria-label={t().palette.label} onKeyDown={closeOnEscape}>
      <LoadingField class="palette-field" label={t().palette.label} text={textOnOpening()} />
    </dialog>
  )
}

function closeOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return
  event.preventDefault()
  closePalette()
  restoreFocus()
}

/** Unfinished conversations of this round: they come back at its end. */
const leftKeys = new Set<string>()

function goToNextUnread(): void {
  const route = shownRoute()
  const here = route.view === 'not-found' || !isPlace(route) ? '' : placeKey(route)
  leftKeys.add(here)
  let next = nextUnread(leftKeys)
  if (next === undefined) {
    leftKeys.clear()
    next = nextUnread(leftKeys.add(here))
  }
  if (next !== undefined) go(next)
}
