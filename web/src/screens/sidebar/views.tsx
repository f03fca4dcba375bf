import { t } from '../../kernel/strings.ts'
import { openViewsDialog } from '../../capabilities/navigation-views/open.ts'
import { chosenViews, type ChosenView } from '../../capabilities/navigation-views/state.ts'
import { unreadMentions, unreadTotal } from '../../capabilities/unread/state.ts'
import { store } from '../../platform/client.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Item, ItemsWithRest, matchesFilter, Section, type BadgeKind } from './item.tsx'

export function Views() {
  const views = chosenViews.value.filter((view) => matchesFilter(view.title()))
  if (views.length === 0) return null
  const tools = (
    <button
      class="icon-button sidebar-tool"
      tabIndex={-1}
      aria-label={t().nav.editViews}
      title={t().nav.editViews}
      onClick={openViewsDialog}
    >
      <Icon name="more" size={15} />
    </button>
  )
  return (
    <Section id="views" title={t().nav.views} tools={tools}>
      <ItemsWithRest id="views-more" all={views} hidesSingle isMain={({ isShown }) => isShown}>
        {(view) => (
          <li key={view.fragment}>
            <Item to={view.to} icon={view.icon} {...countOf(view)}>
              <bdi>{view.title()}</bdi>
            </Item>
          </li>
        )}
      </ItemsWithRest>
    </Section>
  )
}

function countOf({ to }: ChosenView): { readonly count?: number; readonly kind?: BadgeKind } {
  switch (to.view) {
    case 'inbox':
      return { count: unreadTotal.value }
    case 'mentions':
      return { count: unreadMentions.value, kind: 'mine' }
    case 'reminders':
      return { count: store().read('reminders').length, kind: 'quiet' }
    case 'writing':
      return { count: store().read('drafts').length, kind: 'quiet' }
    case 'starred': {
      const isCounted = store().read('user_settings')['starred_message_counts'] !== false
      return isCounted ? { count: store().read('starred_messages').length, kind: 'quiet' } : {}
    }
    default:
      return {}
  }
}
