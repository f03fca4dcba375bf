import { t } from '../../kernel/strings.ts'
import { keyLabel } from '../../platform/keys.ts'
import { Dialog } from '../../platform/overlay/dialog.tsx'
import { allCapabilities } from '../../platform/registry.ts'
import { closeOverlay } from './state.ts'

/** Every key and what it does. */
export function KeyMap() {
  const rows = allCapabilities().flatMap(({ commands = [] }) =>
    commands.flatMap(({ id, title, keys = [] }) => (keys.length === 0 ? [] : [{ id, title: title(), keys }])),
  )
  return (
    <Dialog title={t().keys.title} onClose={closeOverlay}>
      <dl class="keys">
        {rows.map(({ id, title, keys }) => [
          <dt key={`${id}-name`}>{title}</dt>,
          <dd key={`${id}-keys`}>
            {keys.map((key) => (
              <kbd key={key}>{keyLabel(key)}</kbd>
            ))}
          </dd>,
        ])}
      </dl>
    </Dialog>
  )
}
