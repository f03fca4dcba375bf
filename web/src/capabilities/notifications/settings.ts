import { ta } from '../../kernel/administration.ts'
import { select, toggle, type SettingsGroup, type SettingsSection } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { Permission } from './parts/permission.tsx'
import { PushedContent, QuietHours } from './parts/push-choices.tsx'
import { PushDevices } from './parts/push-devices.tsx'
import { pushChannels, pushFollowed, pushForMe, pushWhileThere } from './push.ts'
import { playSound } from './sound.ts'
import {
  countsEverybody,
  countsEverybodyFollowed,
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

const devices: SettingsGroup = {
  title: () => ta().push.title,
  settings: [
    { id: 'push-devices', title: () => ta().push.devices, kind: 'part', Part: PushDevices },
    toggle({ id: 'push', title: () => ta().push.forMe }, pushForMe),
    toggle({ id: 'push-followed', title: () => ta().push.followed }, pushFollowed),
    toggle(
      { id: 'push-channels', title: () => ta().push.channels, note: () => t().notifications.byChannel },
      pushChannels,
    ),
    toggle({ id: 'push-there', title: () => ta().push.whileThere }, pushWhileThere),
    {
      id: 'push-quiet',
      title: () => ta().push.quietHours,
      note: () => ta().push.quietMore,
      kind: 'part',
      Part: QuietHours,
    },
    {
      id: 'push-content',
      title: () => ta().push.contentTitle,
      note: () => ta().push.contentMore,
      kind: 'part',
      Part: PushedContent,
    },
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

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long e-mails may wait, in seconds. */
const WAITS = [0, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY]

const emailAfter = serverSetting('email_notifications_batching_period_seconds', 2 * MINUTE)

/** A time to wait, in its largest unit that it is a multiple of. */
function waitWords(seconds: number): string {
  if (seconds === 0) return t().notifications.waitNone
  const units = [
    ['waitDays', DAY],
    ['waitHours', HOUR],
    ['waitMinutes', MINUTE],
  ] as const
  const [unit, length] = units.find(([, size]) => seconds % size === 0) ?? ['waitSeconds', 1]
  return t().notifications[unit](seconds / length)
}

/** Those that one can choose, and what another client chose, if it is none of them. */
function waits(): number[] {
  return [...new Set([...WAITS, emailAfter.read()])].toSorted((one, other) => one - other)
}

const email: SettingsGroup = {
  title: () => t().notifications.email,
  settings: [
    toggle(
      { id: 'email', title: () => t().notifications.emailForMe },
      serverSetting('enable_offline_email_notifications', true),
    ),
    toggle(
      { id: 'email-followed', title: () => t().notifications.emailFollowed },
      serverSetting('enable_followed_topic_email_notifications', true),
    ),
    toggle(
      { id: 'email-channels', title: () => t().notifications.emailChannels, note: () => t().notifications.byChannel },
      serverSetting('enable_stream_email_notifications', false),
    ),
    select(
      { id: 'email-after', title: () => t().notifications.emailAfter, note: () => t().notifications.emailAfterMore },
      emailAfter,
      () => waits().map((seconds) => [seconds, waitWords(seconds)]),
    ),
    toggle(
      { id: 'email-content', title: () => t().notifications.emailContent },
      serverSetting('message_content_in_email_notifications', true),
    ),
    select(
      { id: 'email-name', title: () => t().notifications.emailName },
      serverSetting('realm_name_in_email_notifications_policy', 1),
      () => [
        [1, t().notifications.emailNameAutomatic],
        [2, t().notifications.always],
        [3, t().notifications.never],
      ],
    ),
    toggle(
      { id: 'email-logins', title: () => t().notifications.emailLogins },
      serverSetting('enable_login_emails', true),
    ),
  ],
}

const mentions: SettingsGroup = {
  title: () => t().notifications.mentions,
  settings: [
    toggle({ id: 'everybody', title: () => t().notifications.everybody }, countsEverybody),
    toggle({ id: 'everybody-followed', title: () => t().notifications.everybodyFollowed }, countsEverybodyFollowed),
  ],
}

export const sections: readonly SettingsSection[] = [
  {
    id: 'notifications',
    of: 'person',
    title: () => t().notifications.title,
    icon: 'bell',
    groups: [desktop, devices, sound, email, mentions],
  },
]
