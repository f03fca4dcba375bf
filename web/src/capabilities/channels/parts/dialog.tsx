import { loadAdministration } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { lazily } from '../../../platform/dom/lazy.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { Tabs } from '../../../platform/overlay/tabs.tsx'
import { closeChannel, openSettings } from '../open.ts'
import { mayAdminister, mayListPeople } from '../rights.ts'
import { channelById, subscriptionTo } from '../state.ts'
import { About } from './about.tsx'
import { OwnSettings } from './own-settings.tsx'
import { People } from './people.tsx'

/** Uses the administration texts, which load with it. */
const Permissions = lazily(async () => {
  await loadAdministration()
  return (await import('../administration.ts')).Permissions
})

export function ChannelDialog() {
  const { value: open } = openSettings
  // Events change channels in place, so this component subscribes explicitly.
  void [store().read('subscriptions'), store().read('never_subscribed'), store().read('unsubscribed')]
  const channel = open === undefined ? undefined : channelById(open.channelId)
  if (open === undefined || channel === undefined) return null
  const { channelId, tab } = open
  const isAdministered = mayAdminister(channel)
  const tabs = [
    {
      id: 'own',
      title: t().channel.forMe,
      isThere: subscriptionTo(channelId) !== undefined,
      show: () => <OwnSettings channelId={channelId} />,
    },
    {
      id: 'people',
      title: t().channel.people,
      isThere: mayListPeople(channel),
      show: () => <People key={channelId} channelId={channelId} />,
    },
    { id: 'channel', title: t().channel.about, isThere: isAdministered, show: () => <About channelId={channelId} /> },
    {
      id: 'permissions',
      title: t().channel.permissions,
      isThere: isAdministered,
      show: () => <Permissions channelId={channelId} />,
    },
  ]
  return (
    <Dialog key={channelId} title={channel.name} onClose={closeChannel}>
      <Tabs label={channel.name} first={tab} tabs={tabs.filter(({ isThere }) => isThere)} />
    </Dialog>
  )
}
