import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { openChannelSettings } from '../../capabilities/channels/views.ts'
import { mayAdminister, mayListPeople, mayRead } from '../../capabilities/channels/rights.ts'
import { channelById, subscriptionTo, type Channel } from '../../capabilities/channels/state.ts'
import { discardSubscribers, subscribersOf } from '../../capabilities/channels/subscribers.ts'
import { userName } from '../../capabilities/users/state.ts'
import { trustHtml } from '../../platform/dom/html.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Rows } from '../../platform/list/rows.tsx'
import { LoadFailure, LoadingRows } from '../../platform/list/states.tsx'
import { requestedPart } from '../../platform/panel-parts.ts'
import { Files } from './files.tsx'
import { Part, useClearRequestedPart } from './part.tsx'
import { PersonRow, ROW_HEIGHT_PIXELS } from './people.tsx'
import { PinnedMessages } from './pinned.tsx'

const MAX_LOADING_ROWS = 8

export function ChannelPart({ channelId }: { readonly channelId: number }) {
  const channel = channelById(channelId)
  useClearRequestedPart(channelId)
  if (channel === undefined) return null
  // Shows the files first, so that a long list of people that is still loading cannot push them away.
  const beginsWithFiles = requestedPart.value?.id === 'files'
  const place = { view: 'channel-feed', channelId } as const
  const files = mayRead(channel) && <Files key="files" place={place} />
  const maySet = subscriptionTo(channelId) !== undefined || mayAdminister(channel)
  const tools = maySet ? (
    <button class="icon-button" aria-label={t().channel.settings} onClick={() => openChannelSettings(channelId)}>
      <Icon name="settings" size={16} />
    </button>
  ) : undefined
  return (
    <>
      <Part title={tl().channel.description} tools={tools}>
        {channel.description === '' ? (
          <p class="note">{tl().panel.noDescription}</p>
        ) : (
          <div class="content" dir="auto" dangerouslySetInnerHTML={trustHtml(channel.rendered_description)} />
        )}
      </Part>
      <PinnedMessages place={place} />
      {beginsWithFiles && files}
      {mayListPeople(channel) && <Subscribers key={channelId} channel={channel} />}
      {!beginsWithFiles && files}
    </>
  )
}

function Subscribers({ channel }: { readonly channel: Channel }) {
  const { stream_id: channelId, subscriber_count: count } = channel
  const { userIds, failure } = subscribersOf(channelId)
  const all = (userIds ?? []).toSorted((one, other) => userName(one).localeCompare(userName(other)))
  const tools = (
    <button
      class="icon-button"
      aria-label={t().channel.people}
      onClick={() => openChannelSettings(channelId, 'people')}
    >
      <Icon name="plus" size={16} />
    </button>
  )
  const title = t().place.subscribers(userIds?.length ?? count)
  return (
    <Part id="people" title={title} tools={tools}>
      {failure !== undefined && <LoadFailure again={() => discardSubscribers(channelId)} />}
      {userIds === undefined && failure === undefined && <LoadingRows rows={Math.min(count, MAX_LOADING_ROWS)} />}
      <Rows things={all} keyOf={(userId) => userId} height={ROW_HEIGHT_PIXELS} label={title}>
        {(userId) => <PersonRow userId={userId} />}
      </Rows>
    </Part>
  )
}
