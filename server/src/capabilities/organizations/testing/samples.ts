import { randomUUID } from 'node:crypto'
import { OWN_WORDS, SECRET, SETTING, TIME, type CapabilitySamples } from '../../../testing/capability-samples.ts'

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
    domain: 'domains are for everybody in the organization',
    email_notifications_batching_period_seconds: TIME,
    jitsi_server_url: SETTING,
    message_content_delete_limit_seconds: TIME,
    message_content_edit_limit_seconds: TIME,
    move_messages_between_streams_limit_seconds: TIME,
    move_messages_within_stream_limit_seconds: TIME,
    new_password: SECRET,
    old_password: SECRET,
    timezone: SETTING,
    waiting_period_threshold: TIME,
    web_font_size_px: SETTING,
    web_line_height_percent: SETTING,
    welcome_message_custom_text: OWN_WORDS,
  },
}
