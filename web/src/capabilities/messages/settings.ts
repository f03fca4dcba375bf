import { ta } from '../../kernel/administration.ts'
import { selectSetting, toggleSetting, type SettingsGroup } from '../../kernel/setting.ts'
import { showsPreviews } from '../appearance/state.ts'
import { MARK_READ_POLICY, markReadPolicy, marksFeedsRead } from './read-tracker.ts'
import { serverSetting } from '../../platform/preferences.ts'

const marksReadAnywhere = (): boolean => markReadPolicy.read() !== MARK_READ_POLICY.never

export const groups: readonly SettingsGroup[] = [
  {
    title: () => ta().habits.unread,
    settings: [
      selectSetting(
        { id: 'mark-read', title: () => ta().habits.markRead, synonyms: () => ta().synonyms.settings.markRead },
        markReadPolicy,
        () => [
          [MARK_READ_POLICY.conversations, ta().habits.markReadSeen],
          [MARK_READ_POLICY.never, ta().habits.markReadNever],
        ],
      ),
      toggleSetting({ id: 'feeds', title: () => ta().habits.readsFeeds, when: marksReadAnywhere }, marksFeedsRead),
      selectSetting(
        { id: 'resolved', title: () => ta().habits.resolvedRead, synonyms: () => ta().synonyms.settings.resolved },
        serverSetting('resolved_topic_notice_auto_read_policy', 'except_followed'),
        () => [
          ['always', ta().habits.resolvedAlways],
          ['except_followed', ta().habits.resolvedUnfollowed],
          ['never', ta().habits.resolvedNever],
        ],
      ),
    ],
  },
  {
    title: () => ta().habits.media,
    settings: [
      toggleSetting(
        {
          id: 'previews',
          title: () => ta().habits.previews,
          synonyms: () => ta().synonyms.settings.previews,
          note: () => ta().habits.previewsMore,
        },
        showsPreviews,
      ),
      selectSetting(
        { id: 'moving', title: () => ta().habits.moving, synonyms: () => ta().synonyms.settings.moving },
        serverSetting('web_animate_image_previews', 'on_hover'),
        () => [
          ['always', ta().habits.movingAlways],
          ['on_hover', ta().habits.movingPointed],
          ['never', ta().habits.movingNever],
        ],
      ),
    ],
  },
  {
    title: () => ta().habits.typing,
    settings: [
      toggleSetting(
        { id: 'typing', title: () => ta().habits.seesTyping, synonyms: () => ta().synonyms.settings.typing },
        serverSetting('receives_typing_notifications', true),
      ),
    ],
  },
]
