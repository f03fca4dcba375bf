import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { moveView, showView } from '../actions.ts'
import { closeViews } from '../open.ts'
import { chosenViews } from '../state.ts'

/** Where a person chooses which views stand in the sidebar, and in which order. */
export function ViewsDialog() {
  const views = chosenViews.value
  return (
    <Dialog title={t().nav.editViews} onClose={closeViews}>
      <ul>
        {views.map((view, index) => (
          <li key={view.fragment} class="browse-row">
            <label class="check browse-text">
              <input
                type="checkbox"
                checked={view.isShown}
                onChange={({ currentTarget }) => showView(view, currentTarget.checked)}
              />
              <span>{view.title()}</span>
            </label>
            <button
              class="icon-button is-up"
              aria-label={t().nav.moveUp(view.title())}
              disabled={index === 0}
              onClick={() => moveView(view, -1)}
            >
              <Icon name="down" size={16} />
            </button>
            <button
              class="icon-button"
              aria-label={t().nav.moveDown(view.title())}
              disabled={index === views.length - 1}
              onClick={() => moveView(view, 1)}
            >
              <Icon name="down" size={16} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
