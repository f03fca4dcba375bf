import { select, toggle, type SettingsGroup, type SettingsSection } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { Permission } from './parts/permission.tsx'
import { playSound } from './sound.ts'
import {
  countsEverybody,
  desktopChannels,
  desktopFollowed,
  desktopForMe,
  showsDirects,
  soundChannels,
  soundFollowed,
  soundForMe,
  soundName,
} from './wanted.ts'

const desktop: SettingsGroup = {
  title: () => t().notifications.desktop,
  settings: [
    { id: 'browser', title: () => t().notifications.browser, kind: 'part', Part: Permission },
    toggle({ id: 'desktop', title: () => t().notifications.desktopForMe }, desktopForMe),
    toggle({ id: 'desktop-followed', title: () => t().notifications.desktopFollowed }, desktopFollowed),
    toggle(
      {
        id: 'desktop-channels',
        title: () => t().notifications.desktopChannels,
        note: () => t().notifications.byChannel,
      },
      desktopChannels,
    ),
    toggle({ id: 'content', title: () => t().notifications.content }, showsDirects),
  ],
}

const sound: SettingsGroup = {
  title: () => t().notifications.sound,
  settings: [
    toggle({ id: 'sound', title: () => t().notifications.soundForMe }, soundForMe),
    toggle({ id: 'sound-followed', title: () => t().notifications.soundFollowed }, soundFollowed),
    toggle(
      { id: 'sound-channels', title: () => t().notifications.soundChannels, note: () => t().notifications.byChannel },
      soundChannels,
    ),
    select(
      { id: 'sound-name', title: () => t().notifications.soundName },
      {
        read: soundName.read,
        write: async (name) => {
          playSound(name)
          return soundName.write(name)
        },
      },
      () => [
        ['service', t().notifications.chime],
        ['ding', t().notifications.ding],
        ['none', t().notifications.silence],
      ],
    ),
  ],
}

const mentions: SettingsGroup = {
  title: () => t().notifications.mentions,
  settings: [toggle({ id: 'everybody', title: () => t().notifications.everybody }, countsEverybody)],
}

export const sections: readonly SettingsSection[] = [
  {
    id: 'notifications',
    of: 'person',
    title: () => t().notifications.title,
    icon: 'bell',
    groups: [desktop, sound, mentions],
  },
]
