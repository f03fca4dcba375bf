import type { Capability } from '../../kernel/capability.ts'
import { tl } from '../../kernel/later-texts.ts'
import type { Message } from '../../kernel/message.ts'
import { isPlace, type Place } from '../../kernel/route.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { openPanelAt } from '../../platform/panel-parts.ts'
import { shownRoute } from '../../platform/router.ts'
import { shownChannelId } from '../channels/views.ts'
import { pinMessage, unpinMessage } from './actions.ts'
import {
  editLinks,
  openedLink,
  openedLinkList,
  openNewLink,
  mayPinIn,
  followPins,
  knownPinOf,
  linksOf,
  pinOf,
  pinsIn,
  type Pin,
} from './state.ts'
import { PinsInHeader } from './parts/header.tsx'
import { PinMark } from './parts/mark.tsx'

const LinkDialog = lazily(
  async () => (await import('./parts/links-dialog.tsx')).LinkDialog,
  () => null,
)
const LinkList = lazily(
  async () => (await import('./parts/links-dialog.tsx')).LinkList,
  () => null,
)

const mayPin = ({ stream_id: channelId }: Message): boolean => channelId !== undefined && mayPinIn(channelId)

const pinTo = (scope: Pin['scope']) => (message: Message) => void pinMessage(message, pinOf(message), scope)

function togglePin(message: Message): void {
  const pin = pinOf(message)
  if (message.stream_id === undefined) return
  void (pin === undefined ? pinMessage(message, pin, 'topic') : unpinMessage(message.stream_id, pin))
}

const mayChangeLinks = (place: Place): boolean => place.view === 'channel-feed' && mayPinIn(place.channelId)

const withChannelId = (run: (channelId: number) => void) => (place: Place) => {
  if (place.view === 'channel-feed') run(place.channelId)
}

function hasPins(): boolean {
  const route = shownRoute()
  const channelId = shownChannelId()
  if (channelId !== undefined) return pinsIn({ view: 'channel-feed', channelId }).length > 0
  return route.view !== 'not-found' && isPlace(route) && pinsIn(route).length > 0
}

/** Loaded after the first paint. */
export const pins: Capability = {
  name: 'pins',
  begin: followPins,
  commands: [
    { id: 'pins.show', title: () => tl().pins.show, icon: 'pin', when: hasPins, run: () => openPanelAt('pins') },
  ],
  messageActions: [
    {
      id: 'pins.toTopic',
      title: (message) =>
        message === undefined || pinOf(message) === undefined ? tl().pins.pinTo.topic : tl().pins.unpin,
      icon: 'pin',
      keys: ['Shift+p'],
      when: mayPin,
      run: togglePin,
    },
    {
      id: 'pins.toChannel',
      title: () => tl().pins.pinTo.channel,
      icon: 'pin',
      group: 'rare',
      when: (message) => mayPin(message) && pinOf(message)?.scope !== 'channel',
      run: pinTo('channel'),
    },
  ],
  placeActions: [
    {
      id: 'pins.addLink',
      title: () => tl().links.add,
      icon: 'link',
      when: mayChangeLinks,
      run: withChannelId(openNewLink),
    },
    {
      id: 'pins.editLinks',
      title: () => tl().links.editAll,
      icon: 'edit',
      when: (place) => mayChangeLinks(place) && place.view === 'channel-feed' && linksOf(place.channelId).length > 0,
      run: withChannelId(editLinks),
    },
  ],
  messageFooter: (message) => {
    const pin = knownPinOf(message)
    return pin && <PinMark pin={pin} />
  },
  headerPart: (place) => <PinsInHeader place={place} />,
  overlays: [
    () => (openedLinkList.value === undefined ? null : <LinkList />),
    () => (openedLink.value === undefined ? null : <LinkDialog />),
  ],
}
