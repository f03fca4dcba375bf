import { t } from '../../kernel/strings.ts'
import { openChannel } from '../../capabilities/channels/open.ts'
import { mayAdminister, mayListPeople } from '../../capabilities/channels/rights.ts'
import { channelById, subscriptionTo } from '../../capabilities/channels/state.ts'
import { subscribersOf } from '../../capabilities/channels/subscribers.ts'
import { userName } from '../../capabilities/users/state.ts'
import { rendered } from '../../platform/dom/html.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Rows } from '../../platform/list/rows.tsx'
import { Part } from './part.tsx'
import { PersonRow, ROW_PIXELS } from './person-row.tsx'

/** What is known of a channel: what it is about, and who is in it. */
export function ChannelPart({ channelId }: { readonly channelId: number }) {
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const maySet = subscriptionTo(channelId) !== undefined || mayAdminister(channel)
  const tools = maySet ? (
    <button class="icon-button" aria-label={t().channel.settings} onClick={() => openChannel(channelId, 'own')}>
      <Icon name="settings" size={16} />
    </button>
  ) : undefined
  return (
    <>
      <Part title={t().channel.description} tools={tools}>
        {channel.description === '' ? (
          <p class="note">{t().panel.noDescription}</p>
        ) : (
          <div class="content" dir="auto" dangerouslySetInnerHTML={rendered(channel.rendered_description)} />
        )}
      </Part>
      {mayListPeople(channel) && <Subscribers key={channelId} channelId={channelId} />}
    </>
  )
}

function Subscribers({ channelId }: { readonly channelId: number }) {
  const { userIds = [], failure } = subscribersOf(channelId)
  const all = userIds.toSorted((one, other) => userName(one).localeCompare(userName(other)))
  const tools = (
    <button class="icon-button" aria-label={t().channel.people} onClick={() => openChannel(channelId, 'people')}>
      <Icon name="plus" size={16} />
    </button>
  )
  return (
    <Part title={t().place.subscribers(all.length)} tools={tools}>
      {failure !== undefined && <p role="alert">{failure}</p>}
      <Rows things={all} height={ROW_PIXELS} label={t().place.subscribers(all.length)}>
        {(userId) => <PersonRow userId={userId} />}
      </Rows>
    </Part>
  )
}
