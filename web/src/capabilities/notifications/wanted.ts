import type { Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { serverSetting, preference } from '../../platform/preferences.ts'
import { subscriptionTo } from '../channels/state.ts'
import { VISIBILITY, visibilityOf } from '../unread/state.ts'

export const desktopForMe = serverSetting('enable_desktop_notifications', true)
export const desktopForFollowedTopics = serverSetting('enable_followed_topic_desktop_notifications', true)
export const desktopForChannels = serverSetting('enable_stream_desktop_notifications', false)
export const showsDirectMessageText = serverSetting('pm_content_in_desktop_notifications', true)
export const soundForMe = serverSetting('enable_sounds', true)
export const soundForFollowedTopics = serverSetting('enable_followed_topic_audible_notifications', true)
export const soundForChannels = serverSetting('enable_stream_audible_notifications', false)
export const soundName = serverSetting('notification_sound', 'service')
export const wildcardsNotify = serverSetting('wildcard_mentions_notify', true)
export const followedWildcardsNotify = serverSetting('enable_followed_topic_wildcard_mentions_notify', true)

const WILDCARD_FLAGS = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned']

export function isForMe({ flags, stream_id, subject }: Message): boolean {
  if (stream_id === undefined || flags.includes('mentioned')) return true
  if (!flags.some((flag) => WILDCARD_FLAGS.includes(flag))) return false
  const isFollowed = visibilityOf(stream_id, subject) === VISIBILITY.followed
  if (isFollowed && followedWildcardsNotify.read()) return true
  return subscriptionTo(stream_id)?.wildcard_mentions_notify ?? wildcardsNotify.read()
}

export interface NotificationChoice {
  readonly onDesktop: boolean
  readonly withSound: boolean
}

export function notificationChoiceFor(
  message: Message,
  place: Extract<Place, { view: 'topic' | 'direct' }>,
): NotificationChoice {
  const ways: NotificationChoice[] = []
  if (isForMe(message)) ways.push({ onDesktop: desktopForMe.read(), withSound: soundForMe.read() })
  if (place.view === 'topic') {
    const isFollowed = visibilityOf(place.channelId, place.topic) === VISIBILITY.followed
    if (isFollowed) ways.push({ onDesktop: desktopForFollowedTopics.read(), withSound: soundForFollowedTopics.read() })
    const channel = subscriptionTo(place.channelId)
    ways.push({
      onDesktop: channel?.desktop_notifications ?? desktopForChannels.read(),
      withSound: channel?.audible_notifications ?? soundForChannels.read(),
    })
  }
  return {
    onDesktop: ways.some(({ onDesktop }) => onDesktop),
    withSound: ways.some(({ withSound }) => withSound) && soundName.read() !== 'none',
  }
}

/** UNIX seconds; in the past if notifications are not paused. */
export const pausedUntil = preference(
  'pausedUntil',
  0,
  (kept): kept is number => typeof kept === 'number' && Number.isFinite(kept),
)

export function areNotificationsPaused(): boolean {
  return pausedUntil.read() > Date.now() / 1000
}
