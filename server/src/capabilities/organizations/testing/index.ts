import { randomUUID } from 'node:crypto'
import { type CapabilitySamples, OWN_WORDS, SECRET, SETTING, TIME } from '../../../testing/capability-samples.ts'
import { PIXEL, sendFiles } from '../../../testing/files.ts'
import { someId, someChannelId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

const DOMAIN = 'sample.example'

export const samples: CapabilitySamples = {
  async make({ owner }) {
    await owner.call('POST', '/realm/domains', { domain: DOMAIN, allow_subdomains: false })
    return {}
  },
  values: () => ({ domain: DOMAIN }),
  inputs: { addRealmDomain: () => ({ domain: `${randomUUID()}.example` }) },
  names: {
    moderation_request_channel_id: 'channel',
    new_stream_announcements_stream_id: 'channel',
    service_update_announcements_stream_id: 'channel',
    signup_announcements_stream_id: 'channel',
    'testWelcomeMessage.welcome_message_custom_text': 'text',
  },
  namesNothing: {
    default_code_block_language: SETTING,
    default_language: SETTING,
    domain: 'everyone in the organization can see its domains',
    email_notifications_batching_period_seconds: TIME,
    jitsi_server_url: SETTING,
    message_content_delete_limit_seconds: TIME,
    message_content_edit_limit_seconds: TIME,
    move_messages_between_streams_limit_seconds: TIME,
    move_messages_within_stream_limit_seconds: TIME,
    new_password: SECRET,
    old_password: SECRET,
    search_languages: SETTING,
    held_message_patterns: SETTING,
    timezone: SETTING,
    waiting_period_threshold: TIME,
    web_font_size_px: SETTING,
    web_line_height_percent: SETTING,
    welcome_message_custom_text: OWN_WORDS,
  },
}

export const steps: CapabilitySteps = {
  steps: {
    'change logo': async ({ actor, what, more }) =>
      more % 2 === 0
        ? sendFiles(actor, `/realm/logo?night=${what % 2 === 0}`, [{ name: 'a.png', content: PIXEL }])
        : actor.try('DELETE', '/realm/logo', { night: what % 2 === 0 }),
    'add domain': async ({ actor, what, more }) =>
      actor.try('POST', '/realm/domains', { domain: `d${what % 3}.example`, allow_subdomains: more % 2 === 0 }),
    'change domain': async ({ actor, what, more }) =>
      actor.try('PATCH', `/realm/domains/d${what % 3}.example`, { allow_subdomains: more % 2 === 0 }),
    'remove domain': async ({ actor, what, more }) => {
      if (more % 2 === 0) await actor.try('PATCH', '/realm', { emails_restricted_to_domains: true })
      return actor.try('DELETE', `/realm/domains/d${what % 3}.example`)
    },
    'shelter guests': async ({ actor, more }) => {
      const name = more % 3 === 0 ? 'role:everyone' : 'role:members'
      const { body } = await actor.try('GET', '/user_groups')
      const all = body['user_groups'] ?? []
      const group = all.find((one) => one.name === name)
      return actor.try('PATCH', '/realm', { can_access_all_users_group: { new: group?.id ?? 0 } })
    },
    'change setting': async ({ actor, what, more }) =>
      actor.try('PATCH', '/settings', {
        ...(what % 2 === 0
          ? { enable_stream_push_notifications: more % 2 === 0, wildcard_mentions_notify: more % 4 < 2 }
          : {}),
        ...(what % 3 === 0 ? { default_language: ['en', 'de', 'pt-br'][more % 3], color_scheme: 1 + (more % 3) } : {}),
        ...(what % 5 === 0 ? { timezone: ['', 'Europe/Berlin'][more % 2], full_name: `Own name ${more}` } : {}),
      }),
    'hide address': async ({ actor, what }) =>
      actor.try('PATCH', '/settings', { email_address_visibility: 1 + (what % 5) }),
    'change default': async ({ actor, what, more }) =>
      actor.try('PATCH', '/realm/user_settings_defaults', {
        enter_sends: what % 2 === 0,
        email_address_visibility: 1 + (more % 5),
      }),
    'change organization': async ({ actor, what, more }) =>
      actor.try('PATCH', '/realm', {
        ...(what % 2 === 0 ? { name: `Name ${more}`, description: `**${more}**` } : {}),
        ...(what % 3 === 0 ? { message_content_edit_limit_seconds: more % 2 === 0 ? 'unlimited' : more + 1 } : {}),
        ...(what % 5 === 0 ? { topics_policy: more % 2 === 0 ? 'disable_empty_topic' : 'allow_empty_topic' } : {}),
        ...(what % 7 === 0 ? { default_language: more % 2 === 0 ? 'de' : 'en', invite_required: more % 2 === 0 } : {}),
        ...(what % 11 === 0 ? { message_edit_history_visibility_policy: ['all', 'moves', 'none'][more % 3] } : {}),
      }),
    'choose channel': async ({ actor, what, more }) => {
      // Omits the signup announcements channel, whose asynchronous messages would make comparisons unreliable.
      const names = [
        'new_stream_announcements_stream_id',
        'service_update_announcements_stream_id',
        'moderation_request_channel_id',
      ]
      const value = more % 4 === 0 ? -1 : await someChannelId(actor, more)
      return actor.try('PATCH', '/realm', { [names[what % names.length] ?? '']: value })
    },
    'change permission': async ({ actor, other, what, more }) => {
      const names = ['can_create_public_channel_group', 'can_mention_many_users_group', 'can_add_subscribers_group']
      const anonymous = { direct_members: [other.id], direct_subgroups: [] }
      const name = names[what % names.length] ?? ''
      const value = more % 3 === 0 ? anonymous : await someId(actor, 'realm_user_groups', more)
      return actor.try('PATCH', '/realm', { [name]: { new: value } })
    },
  },
}
