import type { Capability } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { VISIBILITY, visibilityOf } from '../unread/state.ts'
import { setVisibility, type Policy } from './actions.ts'

const has = (place: Place, policy: Policy): boolean =>
  place.view === 'topic' && visibilityOf(place.channelId, place.topic) === policy

/** Gives a topic a policy, or takes it away where the topic has it. */
function toggle(place: Place, policy: Policy): void {
  if (place.view !== 'topic') return
  void setVisibility(place.channelId, place.topic, has(place, policy) ? VISIBILITY.inherit : policy)
}

export const userTopics: Capability = {
  name: 'user-topics',
  placeActions: [
    {
      id: 'userTopics.follow',
      title: (place) => (has(place, VISIBILITY.followed) ? t().channel.unfollow : t().channel.follow),
      icon: 'follow',
      isQuick: true,
      isOn: (place) => has(place, VISIBILITY.followed),
      when: ({ view }) => view === 'topic',
      run: (place) => toggle(place, VISIBILITY.followed),
    },
    {
      id: 'userTopics.mute',
      title: (place) => (has(place, VISIBILITY.muted) ? t().channel.unmuteTopic : t().channel.muteTopic),
      icon: 'mute',
      when: ({ view }) => view === 'topic',
      run: (place) => toggle(place, VISIBILITY.muted),
    },
  ],
}
