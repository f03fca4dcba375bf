import type { Capability } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { join, leave, toggle } from './actions.ts'
import { openPeople, PeopleDialog } from './parts/people.tsx'
import { channelById, channelName, subscriptionTo } from './state.ts'

/** The subscription that a view of a channel as a whole is of. */
function subscriptionOf(place: Place) {
  return place.view === 'channel-feed' ? subscriptionTo(place.channelId) : undefined
}

function onChannel(run: (channelId: number) => unknown): (place: Place) => void {
  return (place) => {
    if (place.view === 'channel-feed') void run(place.channelId)
  }
}

const isMuted = (place: Place): boolean => subscriptionOf(place)?.is_muted === true
const isPinned = (place: Place): boolean => subscriptionOf(place)?.pin_to_top === true
const isJoined = (place: Place): boolean => subscriptionOf(place) !== undefined

export const channels: Capability = {
  name: 'channels',
  placeActions: [
    {
      id: 'channels.join',
      title: () => t().channel.join,
      icon: 'plus',
      when: (place) => place.view === 'channel-feed' && channelById(place.channelId) !== undefined && !isJoined(place),
      run: onChannel((id) => join(channelName(id))),
    },
    {
      id: 'channels.people',
      title: () => t().channel.people,
      icon: 'person',
      when: isJoined,
      run: onChannel(openPeople),
    },
    {
      id: 'channels.mute',
      title: (place) => (isMuted(place) ? t().channel.unmute : t().channel.mute),
      icon: 'mute',
      when: isJoined,
      run: onChannel((id) => toggle(id, 'is_muted')),
    },
    {
      id: 'channels.pin',
      title: (place) => (isPinned(place) ? t().channel.unpin : t().channel.pin),
      icon: 'follow',
      when: isJoined,
      run: onChannel((id) => toggle(id, 'pin_to_top')),
    },
    {
      id: 'channels.leave',
      title: () => t().channel.leave,
      icon: 'close',
      isDangerous: true,
      when: isJoined,
      run: onChannel(leave),
    },
  ],
  overlays: [PeopleDialog],
}
