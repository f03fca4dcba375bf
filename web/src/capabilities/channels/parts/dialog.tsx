import { call } from '@parley/client'
import { publicPages, type channels } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { loadAdministration } from '../../../kernel/administration.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { lazily } from '../../../platform/dom/lazy.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { Tabs } from '../../../platform/overlay/tabs.tsx'
import { TextField } from '../../../platform/settings/text-editor.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { FolderSelect } from '../../channel-folders/parts/folder-select.tsx'
import { maySendTo } from '../../message-edits/rules.ts'
import { AddPeopleForm, PeopleRows } from '../../users/parts/people-list.tsx'
import { userName } from '../../users/state.ts'
import {
  subscribePeople,
  unsubscribePerson,
  changeSubscription,
  archiveChannel,
  changeChannel,
  changeWithUndo,
  unarchiveChannel,
} from '../actions.ts'
import {
  mayAdminister,
  mayListPeople,
  mayAddOthers,
  mayRemoveSubscriber,
  kindOf,
  creatableChannelKinds,
  type ChannelKind,
} from '../rights.ts'
import { channelById, subscriptionTo, type Channel } from '../state.ts'
import { discardSubscribers, subscribersOf } from '../subscribers.ts'
import { closeChannelSettings, openedChannelSettings } from '../views.ts'

const Permissions = lazily(async () => {
  await loadAdministration()
  return (await import('../administration.tsx')).Permissions
})

export function ChannelDialog() {
  const { value: open } = openedChannelSettings
  // Subscribes explicitly, because events change channels in place.
  void [store().read('subscriptions'), store().read('never_subscribed'), store().read('unsubscribed')]
  const channel = open === undefined ? undefined : channelById(open.channelId)
  if (open === undefined || channel === undefined) return null
  const { channelId, tab } = open
  const isAdministered = mayAdminister(channel)
  const tabs = [
    { id: 'channel', title: tl().channel.about, isThere: isAdministered, show: () => <About channelId={channelId} /> },
    {
      id: 'own',
      title: tl().channel.forMe,
      isThere: subscriptionTo(channelId) !== undefined,
      show: () => <OwnSettings channelId={channelId} />,
    },
    {
      id: 'people',
      title: t().channel.people,
      isThere: mayListPeople(channel),
      show: () => <People key={channelId} channelId={channelId} />,
    },
    {
      id: 'permissions',
      title: tl().channel.permissions,
      isThere: isAdministered,
      show: () => <Permissions channelId={channelId} />,
    },
  ]
  return (
    <Dialog key={channelId} title={channel.name} onClose={closeChannelSettings}>
      <Tabs label={channel.name} first={tab} tabs={tabs.filter(({ isThere }) => isThere)} />
    </Dialog>
  )
}

function People({ channelId }: { readonly channelId: number }) {
  const { userIds, failure } = subscribersOf(channelId)
  const [filter, setFilter] = useState('')
  const [refusal, run] = useRefusal()
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const query = caseKey(filter.trim())
  const there = new Set(userIds)
  const shown = [...there]
    .filter((id) => caseKey(userName(id)).includes(query))
    .toSorted((one, other) => userName(one).localeCompare(userName(other)))
  return (
    <>
      {mayAddOthers(channel) && (
        <AddPeopleForm
          label={tl().channel.findPerson}
          action={tl().channel.addPeople}
          isThere={(id) => there.has(id)}
          add={async (chosen) => run(async () => subscribePeople(channelId, chosen))}
        />
      )}
      {refusal}
      <FilterField label={tl().panel.findPerson} value={filter} onChange={setFilter} />
      <div class="people-list">
        {failure !== undefined && <LoadFailure again={() => discardSubscribers(channelId)} />}
        {userIds === undefined && failure === undefined && <LoadingRows rows={5} />}
        <PeopleRows
          label={t().place.subscribers(there.size)}
          userIds={shown}
          mayRemove={(userId) => mayRemoveSubscriber(channel, userId)}
          remove={(userId) => void run(async () => unsubscribePerson(channelId, userId))}
        />
      </div>
    </>
  )
}

/** Notification settings of a channel. If one is not set, the user's general setting applies. */
/** Settings of a channel, and the personal settings that apply without them. */
const NOTIFICATIONS = [
  ['desktop_notifications', 'enable_stream_desktop_notifications'],
  ['audible_notifications', 'enable_stream_audible_notifications'],
  ['push_notifications', 'enable_stream_push_notifications'],
  ['email_notifications', 'enable_stream_email_notifications'],
  ['wildcard_mentions_notify', 'wildcard_mentions_notify'],
] as const

const MailAddress = lazily(async () => {
  await loadAdministration()
  return (await import('../administration.tsx')).MailAddress
})

function OwnSettings({ channelId }: { readonly channelId: number }) {
  const [refusal, run] = useRefusal()
  const channel = subscriptionTo(channelId)
  if (channel === undefined) return null
  const set = (property: channels.SubscriptionProperty, value: string | boolean, said: string): void =>
    void run(async () => changeSubscription(channelId, property, value, said))
  const { toggled, notifications, yes, no } = tl().channel
  const settings = store().read('user_settings')
  return (
    <div class="form">
      <label class="check">
        <input
          type="checkbox"
          checked={channel.is_muted}
          onChange={({ currentTarget: { checked } }) =>
            set('is_muted', checked, toggled.is_muted(channel.name, checked))
          }
        />
        <span>{t().channel.mute}</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={channel.pin_to_top}
          onChange={({ currentTarget: { checked } }) =>
            set('pin_to_top', checked, toggled.pin_to_top(channel.name, checked))
          }
        />
        <span>{t().channel.pin}</span>
      </label>
      <label class="check">
        <input
          type="color"
          value={channel.color}
          onChange={({ currentTarget }) => set('color', currentTarget.value, tl().settings.changed(tl().channel.color))}
        />
        <span>{tl().channel.color}</span>
      </label>
      {NOTIFICATIONS.map(([property, usual]) => (
        <label key={property} class="field">
          <span>{notifications[property]}</span>
          <select
            class="input"
            value={String(channel[property])}
            onChange={({ currentTarget }) =>
              set(property, currentTarget.value === 'true', tl().settings.changed(notifications[property]))
            }
          >
            {channel[property] === null && (
              <option value="null">{tl().channel.usual(settings[usual] === true ? yes : no)}</option>
            )}
            <option value="true">{yes}</option>
            <option value="false">{no}</option>
          </select>
        </label>
      ))}
      {refusal}
      {maySendTo(channel) && <MailAddress channel={channel} />}
    </div>
  )
}

function About({ channelId }: { readonly channelId: number }) {
  const [refusal, run] = useRefusal()
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const { name, description } = channel
  const kind = kindOf(channel)
  const kinds = [...new Set([kind, ...creatableChannelKinds()])]
  return (
    <div class="form">
      <TextField
        label={tl().channel.name}
        value={name}
        maxLength={store().read('max_stream_name_length')}
        isRequired
        save={async (text) => changeChannel(channelId, { new_name: text })}
      />
      <TextField
        label={tl().channel.description}
        value={description}
        maxLength={store().read('max_stream_description_length')}
        isLong
        save={async (text) => changeChannel(channelId, { description: text })}
      />
      <label class="field">
        <span>{tl().channel.kind}</span>
        <select
          class="input"
          value={kind}
          onChange={({ currentTarget }) => {
            const chosen = kinds.find((one) => one === currentTarget.value)
            if (chosen !== undefined) void run(async () => changeKind(channelId, chosen, kind))
          }}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {tl().channel.kinds[one]}
            </option>
          ))}
        </select>
      </label>
      {kind === 'web-public' && <SearchEngineSetting channelId={channelId} run={run} />}
      <FolderSelect
        value={channel.folder_id}
        onChange={(id) => void run(async () => moveToFolder(channelId, id, channel.folder_id))}
      />
      {refusal}
      <div class="dialog-actions">
        <ArchiveButton channel={channel} run={run} />
      </div>
    </div>
  )
}

interface SearchEngineSettingProps extends Pick<PartProps, 'run'> {
  readonly channelId: number
}

function SearchEngineSetting({ channelId, run }: SearchEngineSettingProps) {
  const asked = { stream_id: channelId }
  const { value, again } = useFetched(
    async (signal) => call(SESSION, publicPages.getPublicPageSettings, asked, { signal }),
    channelId,
  )
  const change = async (isHidden: boolean): Promise<void> => {
    await call(SESSION, publicPages.updatePublicPageSettings, { ...asked, hidden_from_search_engines: isHidden })
    again()
  }
  if (value === undefined) return <LoadingRows rows={1} />
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value.hidden_from_search_engines}
        onChange={({ currentTarget: { checked } }) =>
          void run(async () =>
            changeWithUndo(
              tl().channel.hiddenFromSearchEngines,
              async () => change(checked),
              async () => change(!checked),
            ),
          )
        }
      />
      <span>{tl().channel.hiddenFromSearchEngines}</span>
    </label>
  )
}

interface PartProps {
  readonly channel: Channel
  readonly run: ReturnType<typeof useRefusal>[1]
}

function ArchiveButton({ channel, run }: PartProps) {
  const { stream_id: channelId, name } = channel
  if (channel.is_archived) {
    return (
      <button class="button" onClick={() => void run(async () => unarchiveChannel(channelId))}>
        {tl().channel.unarchive}
      </button>
    )
  }
  const ask = (): void => {
    closeChannelSettings()
    askConfirmation({
      text: tl().channel.archiveSure(name),
      action: tl().channel.archive,
      run: () => void archiveChannel(channelId),
    })
  }
  return (
    <button class="button danger" onClick={ask}>
      {tl().channel.archive}
    </button>
  )
}

async function changeKind(channelId: number, kind: ChannelKind, before: ChannelKind): Promise<void> {
  const change = async (to: ChannelKind) => changeChannel(channelId, privacyDetails(to))
  await changeWithUndo(
    tl().channel.kind,
    async () => change(kind),
    async () => change(before),
  )
}

async function moveToFolder(channelId: number, folderId: number | null, before: number | null): Promise<void> {
  const change = async (to: number | null) => changeChannel(channelId, { folder_id: to })
  await changeWithUndo(
    tl().channel.folder,
    async () => change(folderId),
    async () => change(before),
  )
}

function privacyDetails(kind: ChannelKind) {
  if (kind === 'web-public') return { is_private: false, is_web_public: true }
  if (kind === 'public') return { is_private: false, is_web_public: false }
  return { is_private: true, is_web_public: false, history_public_to_subscribers: kind === 'private-history' }
}
