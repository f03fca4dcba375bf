import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { OrderedList } from '../../../platform/list/ordered.tsx'
import { orderViews, removeView, showView } from '../actions.ts'
import { viewToName, chosenViews, type ChosenView } from '../state.ts'

export function ViewList() {
  return (
    <OrderedList
      label={t().nav.views}
      things={chosenViews.value}
      keyOf={({ fragment }) => fragment}
      nameOf={({ title }) => title()}
      onOrder={(views) => void orderViews(views)}
    >
      {(view) => (
        <>
          <label class="check ordered-text">
            <input
              type="checkbox"
              checked={view.isShown}
              onChange={({ currentTarget }) => showView(view, currentTarget.checked)}
            />
            <bdi>{view.title()}</bdi>
          </label>
          {view.isOwn === true && <OwnTools view={view} />}
        </>
      )}
    </OrderedList>
  )
}

function OwnTools({ view }: { readonly view: ChosenView }) {
  const name = view.title()
  return (
    <>
      <button
        class="icon-button"
        aria-label={tl().views.renameOf(name)}
        title={t().nav.rename}
        onClick={() => {
          viewToName.value = { fragment: view.fragment, name, view }
        }}
      >
        <Icon name="edit" size={16} />
      </button>
      <button
        class="icon-button"
        aria-label={tl().views.removeOf(name)}
        title={t().nav.removeView}
        onClick={() => void removeView(view)}
      >
        <Icon name="delete" size={16} />
      </button>
    </>
  )
}
