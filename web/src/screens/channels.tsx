import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { FilterField } from '../platform/dom/filter-field.tsx'
import { textOf } from '../platform/dom/html.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { EmptyState } from '../platform/list/states.tsx'
import { openFoldersDialog, folderById } from '../capabilities/channel-folders/state.ts'
import { joinChannel, leaveChannel } from '../capabilities/channels/actions.ts'
import { openNewChannel } from '../capabilities/channels/views.ts'
import { creatableChannelKinds, mayJoin } from '../capabilities/channels/rights.ts'
import { allChannels, subscriptionTo, type Channel } from '../capabilities/channels/state.ts'
import { ChannelSign } from '../capabilities/places/title.tsx'
import { isAdministrator } from '../capabilities/users/state.ts'
import { Header } from './header.tsx'

/** Maximum number of channels listed at once. The filter also searches the rest. */
const MAX_CHANNELS = 300

export function ChannelsView() {
  const [filter, setFilter] = useState('')
  const query = caseKey(filter.trim())
  const found = allChannels().filter(({ name, is_archived }) => !is_archived && caseKey(name).includes(query))
  return (
    <>
      <Header title={t().nav.browse}>
        {isAdministrator() && (
          <button
            class="icon-button"
            aria-label={t().folders.title}
            title={t().folders.title}
            onClick={openFoldersDialog}
          >
            <Icon name="folder" />
          </button>
        )}
        {creatableChannelKinds().length > 0 && (
          <button class="button" aria-label={t().channel.create} onClick={openNewChannel}>
            <Icon name="plus" size={16} />
            <span class="header-word">{t().channel.create}</span>
          </button>
        )}
      </Header>
      <div class="view-scroll">
        <div class="topics">
          <div class="topics-head">
            <FilterField label={tl().channel.filter} value={filter} onChange={setFilter} />
          </div>
          {found.length === 0 && <NoChannels isFiltered={query !== ''} />}
          <ul>
            {found.slice(0, MAX_CHANNELS).map((channel) => (
              <ChannelRow key={channel.stream_id} channel={channel} />
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}

function NoChannels({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <EmptyState icon="channels" title={t().nav.noMatch} />
  return (
    <EmptyState icon="channels" title={tl().channel.noChannels}>
      {creatableChannelKinds().length > 0 && (
        <button class="button primary" onClick={openNewChannel}>
          {t().channel.create}
        </button>
      )}
    </EmptyState>
  )
}

function ChannelRow({ channel }: { readonly channel: Channel }) {
  const { stream_id: channelId, name, description, rendered_description, subscriber_count } = channel
  const folder = folderById(channel.folder_id ?? null)
  const isIn = subscriptionTo(channelId) !== undefined
  const label = isIn ? t().channel.leave : t().channel.join
  return (
    <li class="browse-row">
      <ChannelSign channelId={channelId} />
      <span class="browse-text">
        <Link to={{ view: 'channel', channelId }}>
          <bdi>{name}</bdi>
        </Link>
        <span class="note">
          {t().place.subscribers(subscriber_count)}
          {folder !== undefined && ` · ${folder.name}`}
          {description !== '' && ` · ${textOf(rendered_description)}`}
        </span>
      </span>
      {(isIn || mayJoin(channel)) && (
        <button
          class={isIn ? 'button quiet' : 'button'}
          aria-label={`${label}: ${name}`}
          onClick={() => (isIn ? leaveChannel(channelId) : void joinChannel(name))}
        >
          {label}
        </button>
      )}
    </li>
  )
}
