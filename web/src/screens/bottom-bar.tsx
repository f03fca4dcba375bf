import type { ComponentChildren } from 'preact'
import type { IconName } from '../kernel/icons.ts'
import { t } from '../kernel/strings.ts'
import { Badge } from '../capabilities/unread/badge.tsx'
import { unreadDirectConversations, unreadMentions, unreadTotal } from '../capabilities/unread/state.ts'
import { openOwnMenu } from '../capabilities/users/own-menu.ts'
import { openRegion, openedRegion, type Region } from '../platform/frame.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { shownRoute } from '../platform/router.ts'
import './bottom-bar.css'

export function BottomBar() {
  const view = openedRegion.value === 'main' ? shownRoute().view : undefined
  const inbox = { view: 'inbox' } as const
  const search = { view: 'search', query: '' } as const
  return (
    <nav class="bottom-bar" aria-label={t().nav.regions}>
      <Link to={inbox} class="bottom-tab" current={view === 'inbox'}>
        <TabLabel icon="inbox" title={t().nav.inbox}>
          <Badge count={unreadTotal.value} mentions={unreadMentions.value} />
        </TabLabel>
      </Link>
      <RegionTab region="channels" icon="channels" title={t().nav.channels} />
      <RegionTab region="directs" icon="person" title={t().nav.directsShort}>
        <Badge count={unreadDirectConversations.value} place={{ view: 'direct' }} />
      </RegionTab>
      <Link to={search} class="bottom-tab" current={view === 'search'}>
        <TabLabel icon="search" title={t().nav.search} />
      </Link>
      <button class="bottom-tab" aria-haspopup="menu" onClick={({ currentTarget }) => openOwnMenu(currentTarget)}>
        <TabLabel icon="menu" title={t().nav.me} />
      </button>
    </nav>
  )
}

interface TabLabelProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}

function TabLabel({ icon, title, children }: TabLabelProps) {
  return (
    <>
      <Icon name={icon} size={22} />
      <span>{title}</span>
      {children}
    </>
  )
}

function RegionTab({ region: own, ...face }: TabLabelProps & { readonly region: Region }) {
  const isCurrent = openedRegion.value === own
  return (
    <button
      class="bottom-tab"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => openRegion(isCurrent ? 'main' : own)}
    >
      <TabLabel {...face} />
    </button>
  )
}
