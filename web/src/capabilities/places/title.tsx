import type { ComponentChildren } from 'preact'
import type { IconName } from '../../kernel/icons.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { isResolvedTopic, unresolvedTopic } from '../../kernel/topic.ts'
import { trustHtml } from '../../platform/dom/html.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { isNarrow, isWide } from '../../platform/frame.ts'
import { channelById, channelIcon, channelName, subscriptionTo } from '../channels/state.ts'
import { firstNames, shownName } from '../muted-users/state.ts'
import { isMutedTopic, VISIBILITY, visibilityOf } from '../unread/state.ts'
import { ownId } from '../users/state.ts'

export function placeName(place: Place): string {
  switch (place.view) {
    case 'topic':
      return t().place.topicOf(topicTitle(place.topic), channelTitle(place.channelId))
    case 'direct':
      return directName(place.userIds)
    case 'channel-feed':
      return channelTitle(place.channelId)
    case 'search':
      return t().place.searchFor(place.query)
    default:
      return t().nav[place.view]
  }
}

export function topicTitle(topic: string): string {
  return topic === '' ? t().place.noTopic : unresolvedTopic(topic)
}

export function channelTitle(id: number): string {
  return channelById(id) === undefined ? t().place.unknownChannel : channelName(id)
}

/** Names all people of a conversation or, if they do not fit, as many first names as do and the number of others. */
export function directName(userIds: readonly number[], maxCharacters = Infinity): string {
  if (userIds.length === 1 && userIds[0] === ownId()) return t().place.notes
  const whole = t().place.people(
    userIds.map((id) => shownName(id)),
    0,
  )
  if (userIds.length === 1 || whole.length <= maxCharacters) return whole
  const names = firstNames(userIds)
  const brief = (count: number): string => t().place.people(names.slice(0, count), names.length - count)
  let count = names.length
  while (count > 1 && brief(count).length > maxCharacters) count -= 1
  return brief(count)
}

/** Characters that usually fit into a row, by the width of the screen. */
const ROW_CHARACTERS = { narrow: 24, middle: 36, wide: 60 }

interface DirectTitleProps {
  readonly userIds: readonly number[]
  readonly maxCharacters?: number
}

/** Shows the names that fit. Screen readers and the title have all. */
export function DirectTitle({ userIds, maxCharacters }: DirectTitleProps) {
  const whole = directName(userIds)
  const limit = maxCharacters ?? ROW_CHARACTERS[isNarrow.value ? 'narrow' : isWide.value ? 'wide' : 'middle']
  const brief = directName(userIds, limit)
  if (brief === whole) return <bdi>{whole}</bdi>
  return (
    <>
      <bdi aria-hidden="true" title={whole}>
        {brief}
      </bdi>
      <span class="visually-hidden">{whole}</span>
    </>
  )
}

/** @param markedTopic topic HTML with highlighted matches */
export function placeTitle(place: Place, markedTopic?: string): ComponentChildren {
  if (place.view === 'direct') return <DirectTitle userIds={place.userIds} />
  if (place.view !== 'topic') return <bdi>{placeName(place)}</bdi>
  return (
    <span class="place-title">
      <span class="place-channel">
        <ChannelSign channelId={place.channelId} />
        <bdi>{channelTitle(place.channelId)}</bdi>
      </span>
      <span class="place-then"> › </span>
      <TopicTitle topic={place.topic} marked={markedTopic} />
    </span>
  )
}

interface TopicTitleProps {
  readonly topic: string
  readonly marked?: string | undefined
}

export function TopicTitle({ topic, marked = '' }: TopicTitleProps) {
  return (
    <span class={topic === '' ? 'topic-title no-topic' : 'topic-title'}>
      {isResolvedTopic(topic) && <Icon name="check" size={14} />}
      {isResolvedTopic(topic) && <span class="visually-hidden">{t().place.resolved}: </span>}
      {topic === '' || marked === '' ? (
        <bdi>{topicTitle(topic)}</bdi>
      ) : (
        <bdi dangerouslySetInnerHTML={trustHtml(unresolvedTopic(marked))} />
      )}
    </span>
  )
}

export function VisibilitySign({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  if (isMutedTopic(channelId, topic)) return <MutedSign />
  return visibilityOf(channelId, topic) === VISIBILITY.followed ? (
    <IconSign icon="bell" name={t().nav.followed} />
  ) : null
}

export function MutedSign() {
  return <IconSign icon="mute" name={t().nav.muted} />
}

export function DraftSign() {
  return <IconSign icon="writing" name={t().nav.drafted} />
}

function IconSign({ icon, name }: { readonly icon: IconName; readonly name: string }) {
  return (
    <>
      <Icon name={icon} size={14} />
      <span class="visually-hidden">, {name}</span>
    </>
  )
}

export function ChannelSign({ channelId }: { readonly channelId: number }) {
  const channel = channelById(channelId)
  const color = subscriptionTo(channelId)?.color
  return (
    <span class="channel-sign" style={color === undefined ? {} : { '--channel': color }}>
      <Icon name={channelIcon(channelId)} size={15} />
      {channel?.invite_only === true && <span class="visually-hidden">{t().channel.private} </span>}
    </span>
  )
}
