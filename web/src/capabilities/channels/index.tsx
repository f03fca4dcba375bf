import type { Capability } from '../../kernel/capability.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { lazily, withPart } from '../../platform/dom/lazy.tsx'
import type * as Actions from './actions.ts'
import { syncReadableChannels, creatableChannelKinds, mayAdminister, mayJoin, mayListPeople } from './rights.ts'
import { channelById, channelName, subscriptionTo, type Channel } from './state.ts'
import {
  isNewChannelOpen,
  openNewChannel,
  openChannelSettings,
  openedChannelSettings,
  shownChannelId,
  switchChannelView,
} from './views.ts'
import './parts/channels.css'

const ChannelDialog = lazily(
  async () => (await import('./parts/dialog.tsx')).ChannelDialog,
  () => null,
)
const NewChannel = lazily(
  async () => (await import('./parts/new-channel.tsx')).NewChannel,
  () => null,
)

function subscriptionOf(place: Place) {
  return place.view === 'channel-feed' ? subscriptionTo(place.channelId) : undefined
}

function withChannelId(run: (channelId: number) => unknown): (place: Place) => void {
  return (place) => {
    if (place.view === 'channel-feed') void run(place.channelId)
  }
}

function withActions(run: (actions: typeof Actions, channelId: number) => unknown): (place: Place) => void {
  return withChannelId((id) => withPart(import('./actions.ts'), (actions) => void run(actions, id)))
}

function testChannel(place: Place, isSo: (channel: Channel) => boolean): boolean {
  const channel = place.view === 'channel-feed' ? channelById(place.channelId) : undefined
  return channel !== undefined && isSo(channel)
}

const isMuted = (place: Place): boolean => subscriptionOf(place)?.is_muted === true
const isPinned = (place: Place): boolean => subscriptionOf(place)?.pin_to_top === true
const isSubscribed = (place: Place): boolean => subscriptionOf(place) !== undefined

export const channels: Capability = {
  name: 'channels',
  begin: syncReadableChannels,
  commands: [
    {
      id: 'channels.view',
      title: () => t().channel.switchView,
      icon: 'feed',
      keys: ['v'],
      when: () => shownChannelId() !== undefined,
      run: switchChannelView,
    },
    {
      id: 'channels.new',
      title: () => t().channel.create,
      icon: 'plus',
      when: () => creatableChannelKinds().length > 0,
      run: openNewChannel,
    },
  ],
  placeActions: [
    {
      id: 'channels.join',
      title: () => t().channel.join,
      icon: 'plus',
      when: (place) => !isSubscribed(place) && testChannel(place, mayJoin),
      run: withActions(({ joinChannel }, id) => joinChannel(channelName(id))),
    },
    {
      id: 'channels.people',
      title: () => t().channel.people,
      icon: 'person',
      when: (place) => testChannel(place, mayListPeople),
      run: withChannelId((id) => openChannelSettings(id, 'people')),
    },
    {
      id: 'channels.settings',
      title: () => t().channel.settings,
      icon: 'settings',
      when: (place) => isSubscribed(place) || testChannel(place, mayAdminister),
      run: withChannelId((id) => openChannelSettings(id)),
    },
    {
      id: 'channels.mute',
      title: (place) => (isMuted(place) ? t().channel.unmute : t().channel.mute),
      icon: 'mute',
      when: isSubscribed,
      run: withActions(({ toggleSubscriptionProperty }, id) => toggleSubscriptionProperty(id, 'is_muted')),
    },
    {
      id: 'channels.pin',
      title: (place) => (isPinned(place) ? t().channel.unpin : t().channel.pin),
      icon: 'pin',
      when: isSubscribed,
      run: withActions(({ toggleSubscriptionProperty }, id) => toggleSubscriptionProperty(id, 'pin_to_top')),
    },
    {
      id: 'channels.leave',
      title: () => t().channel.leave,
      icon: 'close',
      isDangerous: true,
      when: isSubscribed,
      run: withActions(({ leaveChannel }, id) => leaveChannel(id)),
    },
  ],
  overlays: [
    () => (openedChannelSettings.value === undefined ? null : <ChannelDialog />),
    () => (isNewChannelOpen.value ? <NewChannel /> : null),
  ],
}
