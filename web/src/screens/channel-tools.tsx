import { mayListPeople, mayRead } from '../capabilities/channels/rights.ts'
import { channelById } from '../capabilities/channels/state.ts'
import { storeChannelView } from '../capabilities/channels/views.ts'
import { channelTitle } from '../capabilities/places/title.tsx'
import { HeaderParts, PlaceTools } from '../capabilities/places/tools.tsx'
import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { openPanelAt } from '../platform/panel-parts.ts'

export interface ChannelToolsProps {
  readonly channelId: number
  readonly view: 'topics' | 'feed'
}

export function ChannelTools({ channelId, view }: ChannelToolsProps) {
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const people = t().place.subscribers(channel.subscriber_count)
  const place = { view: 'channel-feed', channelId } as const
  return (
    <>
      <div class="header-channel-tools">
        <HeaderParts place={place} />
        {mayListPeople(channel) && (
          <button class="header-people" aria-label={people} title={people} onClick={() => openPanelAt('people')}>
            <Icon name="person" />
            {channel.subscriber_count}
          </button>
        )}
        {mayRead(channel) && (
          <button
            class="icon-button"
            aria-label={t().nav.files}
            title={t().nav.files}
            onClick={() => openPanelAt('files')}
          >
            <Icon name="attach" />
          </button>
        )}
        <nav class="header-views" aria-label={channelTitle(channelId)}>
          <Link
            to={{ view: 'channel', channelId }}
            current={view === 'topics'}
            onFollow={() => storeChannelView(channelId, 'topics')}
          >
            {tl().channel.topics}
          </Link>
          <Link to={place} current={view === 'feed'} onFollow={() => storeChannelView(channelId, 'feed')}>
            {tl().channel.feed}
          </Link>
        </nav>
      </div>
      <PlaceTools place={place} />
    </>
  )
}
