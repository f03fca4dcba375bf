import { computed } from '@preact/signals'
import { conversationAt } from '../../kernel/destination.ts'
import { placeKey, type Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { startDirectMessage } from '../../capabilities/composer/actions.ts'
import { allDrafts, destinationOfDraft, hasDraft } from '../../capabilities/drafts/stored.ts'
import { sidebarFilter } from '../../capabilities/navigation-views/state.ts'
import { directName, DirectTitle, DraftSign, MutedSign } from '../../capabilities/places/title.tsx'
import { unreadOf } from '../../capabilities/unread/state.ts'
import { GroupAvatar } from '../../capabilities/users/parts/avatar.tsx'
import { PersonMark, PresenceDot, PresenceWord, StatusSign } from '../../capabilities/users/parts/signs.tsx'
import { isMutedUser, ownId } from '../../capabilities/users/state.ts'
import { store } from '../../platform/client.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { lazily } from '../../platform/dom/lazy.tsx'
import { isNarrow, openedRegion, sidebarPercent } from '../../platform/frame.ts'
import { sidebarLists } from '../../platform/list/held-lists.ts'
import { useHeldOrder } from '../../platform/list/held-order.tsx'
import { shownRoute } from '../../platform/router.ts'
import { openPlaceMenu } from '../../capabilities/places/tools.tsx'
import { isFiltered, isSectionOpen, Item, ItemsWithRest, matchesFilter, Section } from './item.tsx'

/** Number of read conversations. On phones, the list does not share the screen with channels. */
const MAX_DIRECT_CONVERSATIONS = { narrow: 12, wide: 6 }

const directConversations = computed(() => {
  const listed = store()
    .read('recent_private_conversations')
    .map(({ user_ids, max_message_id: lastId }) => ({
      view: 'direct' as const,
      userIds: user_ids.length === 0 ? [ownId()] : [...user_ids],
      lastId,
    }))
  const places = allDrafts().map((draft) => conversationAt(destinationOfDraft(draft)))
  const drafted = new Map(places.flatMap((place) => (place?.view === 'direct' ? [[placeKey(place), place]] : [])))
  for (const place of listed) drafted.delete(placeKey(place))
  return [...[...drafted.values()].map((place) => ({ ...place, lastId: undefined })), ...listed]
})

const currentDirectConversation = computed(() => {
  const route = shownRoute()
  return route.view === 'direct' ? { view: route.view, userIds: [...route.userIds], lastId: undefined } : undefined
})

export function DirectConversations() {
  const found = isFiltered()
    ? directConversations.value.filter(({ userIds }) => matchesFilter(directName(userIds)))
    : directConversations.value
  const held = useHeldOrder(sidebarLists, found, placeKey, sidebarFilter.value)
  const { value: current } = currentDirectConversation
  // A conversation without messages comes last, so that it moves no other.
  const isCurrent = (place: Conversation): boolean => current !== undefined && placeKey(place) === placeKey(current)
  const most = MAX_DIRECT_CONVERSATIONS[isNarrow.value ? 'narrow' : 'wide']
  const isMissing = current !== undefined && !isFiltered() && !held.some(isCurrent)
  const all = isMissing ? [...held, current] : held
  if (isFiltered() && all.length === 0) return null
  return (
    <Section id="directs" title={t().nav.directs}>
      <ItemsWithRest
        section="directs"
        all={all}
        keyOf={placeKey}
        isCurrent={isCurrent}
        isUrgent={(place) => !place.userIds.every(isMutedUser) && unreadOf(place) !== undefined}
        newest={found}
        isMain={(place, index) => !place.userIds.every(isMutedUser) && (index < most || unreadOf(place) !== undefined)}
      >
        {(place) => <DirectConversation key={placeKey(place)} {...place} />}
      </ItemsWithRest>
      {!isFiltered() && isSectionOpen('directs') && (
        <li>
          <button class="sidebar-item sidebar-more" data-item onClick={startDirectMessage}>
            <Icon name="plus" size={17} />
            {t().nav['new-dm']}
          </button>
        </li>
      )}
    </Section>
  )
}

const DirectPreview = lazily(
  async () => (await import('./direct-preview.tsx')).DirectPreview,
  () => null,
)

/** Width of the sidebar on the narrowest phones, in percent of its usual width. */
const PHONE_PERCENT = 114

/** Estimates how many characters of names fit into a row, beside the picture and the badge. */
function countFittingCharacters(hasBadge: boolean): number {
  const percent = isNarrow.value ? PHONE_PERCENT : sidebarPercent.value
  return Math.round(percent / 3) - (hasBadge ? 13 : 10)
}

interface DirectConversationProps {
  readonly userIds: readonly number[]
  readonly lastId: number | undefined
}

function DirectConversation({ userIds, lastId }: DirectConversationProps) {
  const place = { view: 'direct', userIds } as const
  const [first = 0] = userIds
  const isMuted = userIds.every(isMutedUser)
  const unread = unreadOf(place)
  return (
    <li>
      <Item to={place} unread={unread} isMuted={isMuted} onMenu={(from) => openPlaceMenu(from, place)}>
        <span class="sidebar-person">
          <GroupAvatar userIds={isMuted ? userIds : userIds.filter((id) => !isMutedUser(id))} size={20} />
          {userIds.length === 1 && <PresenceDot userId={first} />}
        </span>
        <DirectTitle userIds={userIds} maxCharacters={countFittingCharacters(unread !== undefined)} />
        {isMuted && <MutedSign />}
        {userIds.length === 1 && (
          <>
            <PersonMark userId={first} />
            <StatusSign userId={first} />
            <PresenceWord userId={first} />
          </>
        )}
        {hasDraft(place) && <DraftSign />}
        {openedRegion.value === 'directs' && lastId !== undefined && <DirectPreview lastId={lastId} />}
      </Item>
    </li>
  )
}
