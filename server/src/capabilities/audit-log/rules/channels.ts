import { channelFolderAdded, channelFoldersReordered, channelFolderUpdated } from '../../channel-folders/contract.ts'
import {
  channelCreated,
  channelUpdated,
  defaultChannelsChanged,
  type ChannelProperty,
} from '../../channels/contract/index.ts'
import { channelById, presentChannel } from '../../channels/queries/index.ts'
import { slowModeUpdated } from '../../community/contract.ts'
import { secondsOfTopic, slowModeOf } from '../../community/queries.ts'
import { publicPageSettingsUpdated } from '../../public-pages/contract.ts'
import { defaultChannelGroupsChanged } from '../../default-channel-groups/contract.ts'
import { describeChange, changeWithoutValues, describeEvent, type EventDescription } from './described.ts'

const UNAUDITED_PROPERTIES: readonly ChannelProperty[] = [
  'is_recently_active',
  'stream_weekly_traffic',
  'first_message_id',
  'stream_post_policy',
  'is_announcement_only',
]

export const channelDescriptions: readonly EventDescription[] = [
  describeEvent(channelCreated, ({ organization, payload: { streams } }) =>
    streams
      // Skips existing channels that only become visible to a user.
      .filter(({ stream_id: id }) => channelById(organization, id) === undefined)
      .map(({ stream_id: id, name, invite_only: isPrivate }) => ({
        kind: 'channels',
        action: 'created',
        target: { type: 'channel', id, name },
        changes: isPrivate ? describeChange('invite_only', undefined, true) : [],
      })),
  ),
  describeEvent(channelUpdated, ({ organization, payload }) => {
    const { stream_id: id, property, value, history_public_to_subscribers: history, is_web_public: isPublic } = payload
    const channel = channelById(organization, id)
    if (channel === undefined || UNAUDITED_PROPERTIES.includes(property)) return []
    const before: Readonly<Record<string, unknown>> = { ...presentChannel(organization, channel) }
    const beside = { history_public_to_subscribers: history, is_web_public: isPublic }
    const changes = [
      ...describeChange(property, before[property], value),
      ...Object.entries(beside).flatMap(([name, one]) =>
        one === undefined ? [] : describeChange(name, before[name], one),
      ),
    ]
    if (changes.length === 0) return []
    return [{ kind: 'channels', action: 'changed', target: { type: 'channel', id, name: channel.name }, changes }]
  }),
  describeEvent(slowModeUpdated, ({ organization, payload: { stream_id: id, topic, seconds } }) => {
    const channel = channelById(organization, id)
    if (channel === undefined) return []
    const before = slowModeOf(organization, id)
    // Leaves out the topic's name, which not every reader of the audit log can see.
    const changes =
      topic === null
        ? describeChange('slow_mode_seconds', before.seconds, seconds)
        : describeChange('topic_slow_mode_seconds', secondsOfTopic(before, topic), seconds)
    return [{ kind: 'channels', action: 'changed', target: { type: 'channel', id, name: channel.name }, changes }]
  }),
  describeEvent(publicPageSettingsUpdated, ({ organization, payload }) => {
    const { stream_id: id, hidden_from_search_engines: isHidden } = payload
    const channel = channelById(organization, id)
    if (channel === undefined) return []
    const changes = describeChange('hidden_from_search_engines', !isHidden, isHidden)
    return [{ kind: 'channels', action: 'changed', target: { type: 'channel', id, name: channel.name }, changes }]
  }),
  describeEvent(defaultChannelsChanged, ({ audience, payload: { default_streams: ids } }) =>
    // An event for particular users means that their role changed, but the default channels did not.
    audience.users === undefined
      ? [
          {
            kind: 'channels',
            action: 'default_channels_changed',
            target: null,
            changes: describeChange('default_streams', undefined, ids),
          },
        ]
      : [],
  ),
  describeEvent(defaultChannelGroupsChanged, ({ audience }) =>
    audience.users === undefined
      ? [{ kind: 'channels', action: 'default_channel_groups_changed', target: null, changes: [] }]
      : [],
  ),
  describeEvent(channelFolderAdded, ({ payload: { channel_folder: folder } }) => [
    { kind: 'channels', action: 'created', target: { type: 'folder', id: folder.id, name: folder.name }, changes: [] },
  ]),
  describeEvent(channelFolderUpdated, ({ payload: { channel_folder_id: id, data } }) => [
    {
      kind: 'channels',
      action: 'changed',
      target: { type: 'folder', id, name: data.name ?? '' },
      changes: Object.entries(data).flatMap(([name, value]) =>
        name === 'rendered_description' ? [] : describeChange(name, undefined, value),
      ),
    },
  ]),
  describeEvent(channelFoldersReordered, () => [
    { kind: 'channels', action: 'folders_ordered', target: null, changes: changeWithoutValues('order') },
  ]),
]
