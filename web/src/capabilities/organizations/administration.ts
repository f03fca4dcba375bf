import { organizations } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import {
  selectSetting,
  toggleSetting,
  textSetting,
  type BaseSetting,
  type Setting,
  type SettingsGroup,
} from '../../kernel/setting.ts'
import type { RealmSettings } from '../../kernel/state.ts'
import { languageCode, LANGUAGES } from '../../kernel/strings.ts'
import { sendsEmail, store } from '../../platform/client.ts'
import { allChannels, type Channel } from '../channels/state.ts'
import { SearchLanguages } from '../history/parts/search-languages.tsx'
import { LatestReports } from '../reports/parts/latest.tsx'
import { HeldPatterns } from '../reports/parts/patterns.tsx'
import { reportsChannel } from '../reports/state.ts'
import { ChallengeSetting } from '../invitations/parts/challenge.tsx'
import { PublicNames } from '../users/parts/public-names.tsx'
import { RequiredRolesSetting } from '../second-factors/parts/requirement.tsx'
import {
  refusalReason,
  realmSetting,
  type PlainName,
  NEW_MEMBER_DAYS,
  TIME_LIMITS,
  timeTitle,
  withChosen,
} from './choices.ts'
import { Deactivation } from './parts/deactivation.tsx'
import { Domains } from './parts/domains.tsx'
import { IconPart, LogoPart, NightLogoPart } from './parts/pictures.tsx'
import { Retention } from './parts/retention.tsx'

const NO_CHANNEL = -1

type TitledName = PlainName & keyof ReturnType<typeof ta>['organization']['titles']

type NamesOf<Value> = { [Name in TitledName]: RealmSettings[Name] extends Value ? Name : never }[TitledName]

function describeSetting(name: TitledName): BaseSetting {
  return {
    id: name,
    title: () => ta().organization.titles[name],
    note: () => {
      const notes: Readonly<Record<string, string | undefined>> = ta().organization.notes
      return notes[name]
    },
    synonyms: () => synonymsOf(name),
    fixed: () => refusalReason(name),
  }
}

function synonymsOf(name: string): string | undefined {
  const synonyms: Readonly<Record<string, string | undefined>> = ta().synonyms.organization
  return synonyms[name]
}

const flagSetting = (name: NamesOf<boolean>, more: Partial<BaseSetting> = {}): Setting =>
  toggleSetting({ ...describeSetting(name), ...more }, realmSetting(name))

function optionsOf<Value extends string | number>(
  titles: Readonly<Record<Value, string>>,
  valueOf: (key: string) => Value,
): readonly (readonly [Value, string])[] {
  return Object.entries<string>(titles).map(([key, title]) => [valueOf(key), title])
}

function timeLimitSetting(name: NamesOf<number | null>, more: Partial<BaseSetting> = {}): Setting {
  const choice = realmSetting(name)
  return selectSetting({ ...describeSetting(name), ...more }, choice, () => {
    const chosen = choice.read()
    return withChosen<number | null>(TIME_LIMITS, chosen).map((seconds) => [seconds, timeTitle(seconds)])
  })
}

function channelSetting(name: NamesOf<number>, isUsable: (channel: Channel) => boolean = () => true): Setting {
  const choice = realmSetting(name)
  return selectSetting(describeSetting(name), choice, () => {
    const usable = allChannels().filter(
      (channel) => channel.stream_id === choice.read() || (!channel.is_archived && isUsable(channel)),
    )
    return [
      [NO_CHANNEL, ta().organization.noChannel],
      ...usable.map((channel) => [channel.stream_id, `#${channel.name}`] as const),
    ]
  })
}

const profile: SettingsGroup = {
  settings: [
    textSetting(
      { ...describeSetting('name'), maxLength: organizations.MAX_ORGANIZATION_NAME_CHARACTERS, isRequired: true },
      realmSetting('name'),
    ),
    textSetting(
      {
        ...describeSetting('description'),
        maxLength: organizations.MAX_ORGANIZATION_DESCRIPTION_CHARACTERS,
        isLong: true,
      },
      realmSetting('description'),
    ),
    selectSetting(describeSetting('org_type'), realmSetting('org_type'), () =>
      optionsOf(ta().organization.kinds, organizationTypeOf),
    ),
    selectSetting(describeSetting('default_language'), realmSetting('default_language'), () =>
      withChosen(Object.keys(LANGUAGES), realmSetting('default_language').read()).map((code) => [
        code,
        LANGUAGES[code]?.name ?? code,
      ]),
    ),
  ],
}

const images: SettingsGroup = {
  title: () => ta().organization.images,
  settings: [
    { id: 'icon', kind: 'part', isBeside: true, title: () => ta().organization.icon, Part: IconPart },
    { id: 'logo', kind: 'part', isBeside: true, title: () => ta().organization.logo, Part: LogoPart },
    { id: 'night-logo', kind: 'part', isBeside: true, title: () => ta().organization.nightLogo, Part: NightLogoPart },
  ],
}

function organizationTypeOf(key: string): RealmSettings['org_type'] {
  // Object.entries returns string keys; these are the numbers of organization types.
  return Number(key) as RealmSettings['org_type']
}

const writing: SettingsGroup = {
  title: () => ta().organization.writing,
  settings: [
    selectSetting(describeSetting('topics_policy'), realmSetting('topics_policy'), () => [
      ['allow_empty_topic', ta().organization.topicPolicies.allow_empty_topic],
      ['disable_empty_topic', ta().organization.topicPolicies.disable_empty_topic],
    ]),
    textSetting(
      { ...describeSetting('default_code_block_language'), maxLength: organizations.MAX_CODE_LANGUAGE_CHARACTERS },
      realmSetting('default_code_block_language'),
    ),
    {
      id: 'search_languages',
      kind: 'part',
      title: () => ta().organization.titles.search_languages,
      note: () => ta().organization.notes.search_languages,
      synonyms: () => synonymsOf('search_languages'),
      fixed: () => refusalReason('search_languages'),
      Part: SearchLanguages,
    },
  ],
}

const jitsiServer = realmSetting('jitsi_server_url')

const calls: SettingsGroup = {
  title: () => ta().organization.calls,
  settings: [
    selectSetting(describeSetting('video_chat_provider'), realmSetting('video_chat_provider'), () => [
      [organizations.VIDEO_CALL_PROVIDERS.nothing, ta().organization.noCalls],
      [organizations.VIDEO_CALL_PROVIDERS.jitsi, 'Jitsi Meet'],
    ]),
    textSetting(
      {
        ...describeSetting('jitsi_server_url'),
        maxLength: organizations.MAX_WEB_ADDRESS_CHARACTERS,
        when: () => realmSetting('video_chat_provider').read() === organizations.VIDEO_CALL_PROVIDERS.jitsi,
      },
      {
        read: () => jitsiServer.read() ?? '',
        write: async (address) => jitsiServer.write(address === '' ? null : address),
      },
    ),
  ],
}

const allowsEditing = realmSetting('allow_message_editing').read

const editing: SettingsGroup = {
  title: () => ta().organization.editing,
  settings: [
    flagSetting('allow_message_editing'),
    timeLimitSetting('message_content_edit_limit_seconds', { when: allowsEditing }),
    selectSetting(
      describeSetting('message_edit_history_visibility_policy'),
      realmSetting('message_edit_history_visibility_policy'),
      () => [
        ['all', ta().organization.versions.all],
        ['moves', ta().organization.versions.moves],
        ['none', ta().organization.versions.none],
      ],
    ),
    timeLimitSetting('message_content_delete_limit_seconds'),
    timeLimitSetting('move_messages_within_stream_limit_seconds'),
    timeLimitSetting('move_messages_between_streams_limit_seconds'),
  ],
}

const reading: SettingsGroup = {
  title: () => ta().organization.reading,
  settings: [
    flagSetting('inline_image_preview'),
    flagSetting('inline_url_embed_preview', { when: () => store().read('server_inline_url_embed_preview') }),
    flagSetting('enable_read_receipts'),
  ],
}

const guests: SettingsGroup = {
  title: () => ta().organization.guests,
  settings: [flagSetting('enable_guest_user_indicator'), flagSetting('enable_guest_user_dm_warning')],
}

const announcements: SettingsGroup = {
  title: () => ta().organization.announcements,
  settings: [
    channelSetting('new_stream_announcements_stream_id'),
    channelSetting('signup_announcements_stream_id'),
    flagSetting('send_channel_events_messages'),
  ],
}

const reports: SettingsGroup = {
  settings: [
    channelSetting('moderation_request_channel_id', ({ invite_only: isPrivate }) => isPrivate),
    {
      id: 'held_message_patterns',
      kind: 'part',
      title: () => ta().organization.titles.held_message_patterns,
      note: () => ta().organization.notes.held_message_patterns,
      synonyms: () => synonymsOf('held_message_patterns'),
      fixed: () => refusalReason('held_message_patterns'),
      Part: HeldPatterns,
    },
    {
      id: 'reports',
      kind: 'part',
      title: () => ta().content.latestReports,
      when: () => reportsChannel() !== undefined,
      Part: LatestReports,
    },
  ],
}

const addresses: SettingsGroup = {
  title: () => ta().organization.addresses,
  settings: [
    flagSetting('emails_restricted_to_domains'),
    { id: 'domains', kind: 'part', title: () => ta().organization.domains, Part: Domains },
    flagSetting('disallow_disposable_email_addresses'),
  ],
}

const newcomers: SettingsGroup = {
  title: () => ta().organization.newcomers,
  settings: [
    flagSetting('invite_required'),
    {
      id: 'registration_challenge',
      kind: 'part',
      isBeside: true,
      title: () => ta().organization.titles.registration_challenge,
      synonyms: () => synonymsOf('registration_challenge'),
      note: () => ta().organization.notes.registration_challenge,
      Part: ChallengeSetting,
    },
    selectSetting(describeSetting('waiting_period_threshold'), realmSetting('waiting_period_threshold'), () =>
      withChosen(NEW_MEMBER_DAYS, realmSetting('waiting_period_threshold').read()).map((days) => [
        days,
        ta().organization.afterDays(days),
      ]),
    ),
    textSetting(
      {
        ...describeSetting('welcome_message_custom_text'),
        maxLength: organizations.MAX_WELCOME_TEXT_CHARACTERS,
        isLong: true,
      },
      realmSetting('welcome_message_custom_text'),
    ),
    flagSetting('enable_spectator_access', { when: () => store().read('server_web_public_streams_enabled') }),
    {
      id: 'public_names',
      kind: 'part',
      isBeside: true,
      title: () => ta().organization.titles.public_names,
      synonyms: () => synonymsOf('public_names'),
      note: () => ta().organization.notes.public_names,
      when: () => store().read('server_web_public_streams_enabled'),
      Part: PublicNames,
    },
  ],
}

const accounts: SettingsGroup = {
  title: () => ta().organization.accounts,
  settings: [
    {
      id: 'second_factor_required_of',
      kind: 'part',
      isBeside: true,
      title: () => ta().organization.titles.second_factor_required_of,
      synonyms: () => synonymsOf('second_factor_required_of'),
      note: () => ta().organization.secondFactorMore,
      fixed: () => refusalReason('second_factor_required_of'),
      Part: RequiredRolesSetting,
    },
    flagSetting('require_unique_names'),
    flagSetting('name_changes_disabled'),
    flagSetting('avatar_changes_disabled'),
    flagSetting('email_changes_disabled'),
  ],
}

/** Day 0 is Monday: November 23, 2026, is a Monday. */
function dayName(day: number): string {
  const format = new Intl.DateTimeFormat(languageCode(), { weekday: 'long', timeZone: 'UTC' })
  return format.format(Date.UTC(2026, 10, 23 + day))
}

const emails: SettingsGroup = {
  title: () => ta().organization.emails,
  note: () => (sendsEmail() ? undefined : ta().notifications.emailNotSent),
  settings: [
    flagSetting('message_content_allowed_in_email_notifications'),
    flagSetting('send_welcome_emails'),
    flagSetting('digest_emails_enabled'),
    selectSetting(
      { ...describeSetting('digest_weekday'), when: realmSetting('digest_emails_enabled').read },
      realmSetting('digest_weekday'),
      () => ([0, 1, 2, 3, 4, 5, 6] as const).map((day) => [day, dayName(day)]),
    ),
  ],
}

const retention: SettingsGroup = {
  settings: [
    {
      id: 'message_retention_days',
      kind: 'part',
      isBeside: true,
      title: () => ta().content.retentionOf,
      synonyms: () => synonymsOf('message_retention_days'),
      note: () => ta().content.retentionMore,
      fixed: () => refusalReason('message_retention_days'),
      Part: Retention,
    },
  ],
}

const deactivation: SettingsGroup = {
  settings: [
    {
      id: 'deactivate',
      kind: 'part',
      isBeside: true,
      title: () => ta().ending.what,
      note: () => ta().ending.more,
      Part: Deactivation,
    },
  ],
}

export const groups = {
  profile: [profile, images],
  messages: [writing, calls, editing, reading, guests, announcements, emails],
  reports: [reports],
  joining: [addresses, newcomers, accounts],
  retention: [retention],
  deactivation: [deactivation],
}
