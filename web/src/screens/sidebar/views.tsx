import { t } from '../../kernel/strings.ts'
import { openViewsDialog } from '../../capabilities/navigation-views/open.ts'
import { chosenViews, type ChosenView } from '../../capabilities/navigation-views/state.ts'
import { unreadMentions, unreadTotal } from '../../capabilities/unread/state.ts'
import { store } from '../../platform/client.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import type { BadgeProps } from '../../capabilities/unread/badge.tsx'
import { Item, ItemsWithRest, matchesFilter, Section } from './item.tsx'

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
      <ItemsWithRest
        id="views-more"
        all={views}
        keyOf={({ fragment }) => fragment}
        hidesSingle
        isMain={({ isShown }) => isShown}
      >
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

function countOf({ to }: ChosenView): { readonly unread?: BadgeProps; readonly size?: number } {
  switch (to.view) {
    case 'inbox':
      return { unread: { count: unreadTotal.value, mentions: unreadMentions.value } }
    case 'mentions':
      return { unread: { count: unreadMentions.value, mentions: unreadMentions.value } }
    case 'reminders':
      return { size: store().read('reminders').length }
    case 'writing':
      return { size: store().read('drafts').length }
    case 'starred': {
      const isCounted = store().read('user_settings')['starred_message_counts'] !== false
      return isCounted ? { size: store().read('starred_messages').length } : {}
    }
    default:
      return {}
  }
}
