import { ta } from '../../kernel/administration.ts'
import { selectSetting, toggleSetting, type SettingsGroup } from '../../kernel/setting.ts'
import { sendsEmail } from '../../platform/client.ts'
import { serverSetting } from '../../platform/preferences.ts'
import { Permission, PushedContent, QuietHours, PushDevices } from './parts/push.tsx'
import { pushForChannels, pushForFollowedTopics, pushForMe, pushWhileOnline } from './push.ts'
import { playSound } from './sound.ts'
import {
  wildcardsNotify,
  followedWildcardsNotify,
  desktopForChannels,
  desktopForFollowedTopics,
  desktopForMe,
  showsDirectMessageText,
  soundForChannels,
  soundForFollowedTopics,
  soundForMe,
  soundName,
} from './wanted.ts'

const desktop: SettingsGroup = {
  title: () => ta().notifications.desktop,
  settings: [
    {
      id: 'browser',
      title: () => ta().notifications.browser,
      synonyms: () => ta().synonyms.settings.desktop,
      kind: 'part',
      isBeside: true,
      Part: Permission,
    },
    toggleSetting(
      { id: 'desktop', title: () => ta().notifications.desktopForMe, synonyms: () => ta().synonyms.settings.desktop },
      desktopForMe,
    ),
    toggleSetting(
      {
        id: 'desktop-followed',
        title: () => ta().notifications.desktopFollowed,
        synonyms: () => ta().synonyms.settings.desktop,
      },
      desktopForFollowedTopics,
    ),
    toggleSetting(
      {
        id: 'desktop-channels',
        title: () => ta().notifications.desktopChannels,
        synonyms: () => ta().synonyms.settings.desktop,
        note: () => ta().notifications.byChannel,
      },
      desktopForChannels,
    ),
    toggleSetting({ id: 'content', title: () => ta().notifications.content }, showsDirectMessageText),
  ],
}

const devices: SettingsGroup = {
  title: () => ta().push.title,
  note: () => ta().push.more,
  settings: [
    {
      id: 'push-devices',
      title: () => ta().push.devices,
      synonyms: () => ta().synonyms.settings.push,
      kind: 'part',
      Part: PushDevices,
    },
    toggleSetting({ id: 'push', title: () => ta().push.forMe, synonyms: () => ta().synonyms.settings.push }, pushForMe),
    toggleSetting(
      { id: 'push-followed', title: () => ta().push.followed, synonyms: () => ta().synonyms.settings.push },
      pushForFollowedTopics,
    ),
    toggleSetting(
      {
        id: 'push-channels',
        title: () => ta().push.channels,
        synonyms: () => ta().synonyms.settings.push,
        note: () => ta().notifications.byChannel,
      },
      pushForChannels,
    ),
    toggleSetting({ id: 'push-there', title: () => ta().push.whileThere }, pushWhileOnline),
    {
      id: 'push-quiet',
      title: () => ta().push.quietHours,
      synonyms: () => ta().synonyms.settings.quiet,
      note: () => ta().push.quietMore,
      kind: 'part',
      isBeside: true,
      Part: QuietHours,
    },
    {
      id: 'push-content',
      title: () => ta().push.contentTitle,
      note: () => ta().push.contentMore,
      kind: 'part',
      isBeside: true,
      Part: PushedContent,
    },
  ],
}

const sound: SettingsGroup = {
  title: () => ta().notifications.sound,
  settings: [
    toggleSetting(
      { id: 'sound', title: () => ta().notifications.soundForMe, synonyms: () => ta().synonyms.settings.sound },
      soundForMe,
    ),
    toggleSetting(
      {
        id: 'sound-followed',
        title: () => ta().notifications.soundFollowed,
        synonyms: () => ta().synonyms.settings.sound,
      },
      soundForFollowedTopics,
    ),
    toggleSetting(
      {
        id: 'sound-channels',
        title: () => ta().notifications.soundChannels,
        synonyms: () => ta().synonyms.settings.sound,
        note: () => ta().notifications.byChannel,
      },
      soundForChannels,
    ),
    selectSetting(
      { id: 'sound-name', title: () => ta().notifications.soundName, synonyms: () => ta().synonyms.settings.sound },
      {
        ...soundName,
        write: async (name) => {
          playSound(name)
          return soundName.write(name)
        },
      },
      () => [
        ['service', ta().notifications.chime],
        ['ding', ta().notifications.ding],
        ['none', ta().notifications.silence],
      ],
    ),
  ],
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS
const EMAIL_DELAYS_SECONDS = [
  0,
  2 * MINUTE_SECONDS,
  5 * MINUTE_SECONDS,
  10 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  HOUR_SECONDS,
  6 * HOUR_SECONDS,
  DAY_SECONDS,
  7 * DAY_SECONDS,
]

function delayTitle(seconds: number): string {
  if (seconds === 0) return ta().notifications.waitNone
  const units = [
    ['waitDays', DAY_SECONDS],
    ['waitHours', HOUR_SECONDS],
    ['waitMinutes', MINUTE_SECONDS],
  ] as const
  const [unit, length] = units.find(([, size]) => seconds % size === 0) ?? ['waitSeconds', 1]
  return ta().notifications[unit](seconds / length)
}

function delayOptions(chosen: number): number[] {
  return [...new Set([...EMAIL_DELAYS_SECONDS, chosen])].toSorted((one, other) => one - other)
}

const email: SettingsGroup = {
  title: () => ta().notifications.email,
  note: () => (sendsEmail() ? undefined : ta().notifications.emailNotSent),
  settings: [
    toggleSetting(
      { id: 'email', title: () => ta().notifications.emailForMe, synonyms: () => ta().synonyms.settings.emails },
      serverSetting('enable_offline_email_notifications', true),
    ),
    toggleSetting(
      {
        id: 'email-followed',
        title: () => ta().notifications.emailFollowed,
        synonyms: () => ta().synonyms.settings.emails,
      },
      serverSetting('enable_followed_topic_email_notifications', true),
    ),
    toggleSetting(
      {
        id: 'email-channels',
        title: () => ta().notifications.emailChannels,
        synonyms: () => ta().synonyms.settings.emails,
        note: () => ta().notifications.byChannel,
      },
      serverSetting('enable_stream_email_notifications', false),
    ),
    selectSetting(
      {
        id: 'email-after',
        title: () => ta().notifications.emailAfter,
        synonyms: () => ta().synonyms.settings.delay,
        note: () => ta().notifications.emailAfterMore,
      },
      serverSetting('email_notifications_batching_period_seconds', 2 * MINUTE_SECONDS),
      (chosen) => delayOptions(chosen).map((seconds) => [seconds, delayTitle(seconds)]),
    ),
    toggleSetting(
      { id: 'email-content', title: () => ta().notifications.emailContent },
      serverSetting('message_content_in_email_notifications', true),
    ),
    selectSetting(
      { id: 'email-name', title: () => ta().notifications.emailName },
      serverSetting('realm_name_in_email_notifications_policy', 1),
      () => [
        [1, ta().notifications.emailNameAutomatic],
        [2, ta().notifications.always],
        [3, ta().notifications.never],
      ],
    ),
    toggleSetting(
      {
        id: 'email-digest',
        title: () => ta().notifications.emailDigest,
        synonyms: () => ta().synonyms.settings.digest,
      },
      serverSetting('enable_digest_emails', true),
    ),
    toggleSetting(
      { id: 'email-logins', title: () => ta().notifications.emailLogins },
      serverSetting('enable_login_emails', true),
    ),
  ],
}

const mentions: SettingsGroup = {
  title: () => ta().notifications.mentions,
  settings: [
    toggleSetting(
      { id: 'everybody', title: () => ta().notifications.everybody, synonyms: () => ta().synonyms.settings.wildcards },
      wildcardsNotify,
    ),
    toggleSetting(
      {
        id: 'everybody-followed',
        title: () => ta().notifications.everybodyFollowed,
        synonyms: () => ta().synonyms.settings.wildcards,
      },
      followedWildcardsNotify,
    ),
  ],
}

const topics: SettingsGroup = {
  title: () => ta().habits.topics,
  settings: [
    selectSetting(
      { id: 'follow', title: () => ta().habits.follow, synonyms: () => ta().synonyms.settings.follow },
      serverSetting('automatically_follow_topics_policy', 3),
      topicPolicyOptions,
    ),
    toggleSetting(
      {
        id: 'follow-mentioned',
        title: () => ta().habits.followMentioned,
        synonyms: () => ta().synonyms.settings.follow,
      },
      serverSetting('automatically_follow_topics_where_mentioned', true),
    ),
    selectSetting(
      { id: 'unmute', title: () => ta().habits.unmute },
      serverSetting('automatically_unmute_topics_in_muted_streams_policy', 2),
      topicPolicyOptions,
    ),
  ],
}

function topicPolicyOptions(): readonly (readonly [1 | 2 | 3 | 4, string])[] {
  return ([1, 2, 3, 4] as const).map((when) => [when, ta().habits.topicsWhen[when]])
}

export const groups: readonly SettingsGroup[] = [desktop, devices, sound, email, mentions, topics]
