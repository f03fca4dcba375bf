import { ta } from '../../kernel/administration.ts'
import { tl } from '../../kernel/later-texts.ts'
import { selectSetting, toggleSetting, type Choice, type SettingsGroup } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { sidebarPercent } from '../../platform/frame.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { ViewList } from './parts/view-list.tsx'

const WIDTH_PERCENTS = [70, 85, 100, 125, 150, 170]

/** Offers by menu what the sidebar's edge offers by dragging. Belongs to this browser. */
const sidebarWidth: Choice<number> = {
  read: () => Math.round(sidebarPercent.value),
  write: async (percent) => {
    sidebarPercent.value = percent
    return Promise.resolve('saved')
  },
}

export const groups: readonly SettingsGroup[] = [
  {
    title: () => ta().appearance.title,
    settings: [
      selectSetting(
        { id: 'width', title: () => tl().sidebar.width, synonyms: () => ta().synonyms.settings.sidebarWidth },
        sidebarWidth,
        (chosen) =>
          [...new Set([...WIDTH_PERCENTS, chosen])]
            .toSorted((one, other) => one - other)
            .map((percent) => [percent, ta().appearance.percent(percent)]),
      ),
    ],
  },
  {
    title: () => t().nav.views,
    settings: [
      {
        id: 'list',
        title: () => t().nav.editViews,
        synonyms: () => ta().synonyms.settings.views,
        note: () => tl().views.editViewsMore,
        kind: 'part',
        Part: ViewList,
      },
      toggleSetting(
        { id: 'starred', title: () => ta().habits.starredCount, synonyms: () => ta().synonyms.settings.starred },
        serverSetting('starred_message_counts', true),
      ),
    ],
  },
  {
    title: () => t().nav.channels,
    settings: [
      selectSetting(
        { id: 'counts', title: () => ta().habits.channelCounts, synonyms: () => ta().synonyms.settings.counts },
        serverSetting('web_stream_unreads_count_display_policy', 2),
        () => [
          [1, ta().habits.countsAll],
          [2, ta().habits.countsUnmuted],
          [3, ta().habits.countsNone],
        ],
      ),
      selectSetting(
        { id: 'inactive', title: () => ta().habits.foldInactive, synonyms: () => ta().synonyms.settings.inactive },
        serverSetting('demote_inactive_streams', 1),
        () => [
          [1, ta().habits.foldAutomatic],
          [2, ta().habits.foldAlways],
          [3, ta().habits.foldNever],
        ],
      ),
      toggleSetting(
        { id: 'folders', title: () => ta().habits.byFolder, synonyms: () => ta().synonyms.settings.folders },
        serverSetting('web_left_sidebar_show_channel_folders', true),
      ),
    ],
  },
]
