import type { Capability } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { subscriptionTo } from '../channels/state.ts'
import { isMutedTopic, VISIBILITY, visibilityOf } from '../unread/state.ts'
import type { VisibilityPolicy } from './actions.ts'

const isFollowed = (place: Place): boolean =>
  place.view === 'topic' && visibilityOf(place.channelId, place.topic) === VISIBILITY.followed

const isMuted = (place: Place): boolean => place.view === 'topic' && isMutedTopic(place.channelId, place.topic)

function choosePolicy(place: Place, policy: VisibilityPolicy): void {
  if (place.view !== 'topic') return
  const { channelId, topic } = place
  void withPart(import('./actions.ts'), ({ setVisibility }) => void setVisibility(channelId, topic, policy))
}

/** In a muted channel, a topic is unmuted only by an explicit policy. */
function policyForUnmuting(place: Place): VisibilityPolicy {
  const isChannelMuted = place.view === 'topic' && subscriptionTo(place.channelId)?.is_muted === true
  return isChannelMuted ? VISIBILITY.unmuted : VISIBILITY.inherit
}

export const userTopics: Capability = {
  name: 'user-topics',
  placeActions: [
    {
      id: 'userTopics.follow',
      title: (place) => (isFollowed(place) ? t().channel.unfollow : t().channel.follow),
      icon: 'bell',
      isQuick: true,
      isOn: isFollowed,
      when: ({ view }) => view === 'topic',
      run: (place) => choosePolicy(place, isFollowed(place) ? VISIBILITY.inherit : VISIBILITY.followed),
    },
    {
      id: 'userTopics.mute',
      title: (place) => (isMuted(place) ? t().channel.unmuteTopic : t().channel.muteTopic),
      icon: 'mute',
      when: ({ view }) => view === 'topic',
      run: (place) => choosePolicy(place, isMuted(place) ? policyForUnmuting(place) : VISIBILITY.muted),
    },
  ],
}
