/* A Zulip export with settings, nested groups, and permissions, some of them unsupported. All content is invented. */

export const START_TIME = 1_700_000_000
const YESTERDAY_TIME = Math.floor(Date.now() / 1_000) - 86_400
const [OLGA, ADA, KIM, PIA, NOA, GUS] = [11, 12, 13, 14, 15, 16]
/** Everyone except guests. */
export const USER_IDS = [OLGA, ADA, KIM, PIA, NOA]
/** IDs of the role groups. */
const ROLES = {
  'role:nobody': 51,
  'role:owners': 52,
  'role:administrators': 53,
  'role:moderators': 54,
  'role:fullmembers': 55,
  'role:members': 56,
  'role:everyone': 57,
  'role:internet': 58,
}
const [PAINTERS, CREW, GONE, KIM_ALONE, PIA_AND_ADMINISTRATORS, NOT_THERE] = [61, 62, 63, 71, 72, 999]

export const userRow = (id: number, full_name: string, role: number, more: object = {}): object => ({
  id,
  full_name,
  role,
  email: `user${id}@old.example`,
  delivery_email: `p${id}@harbour.example`,
  is_active: true,
  is_bot: false,
  date_joined: START_TIME - 100 * 86_400,
  ...more,
})

export const USER_ROWS = [
  userRow(OLGA, 'Olga Owner', 100),
  userRow(ADA, 'Ada Admin', 200),
  userRow(KIM, 'Kim Lee', 400, {
    twenty_four_hour_time: true,
    color_scheme: 2,
    notification_sound: 'ding',
    resolved_topic_notice_auto_read_policy: 3,
    web_home_view: 'recent_topics',
    email_address_visibility: 4,
    enable_stream_push_notifications: true,
    emojiset: 'apple',
    web_font_size_px: 9_999,
  }),
  userRow(PIA, 'Pia Painter', 400, { default_view: 'all_messages', notification_sound: 'zulip', enter_sends: true }),
  userRow(NOA, 'Noa New', 400, { date_joined: YESTERDAY_TIME }),
  userRow(GUS, 'Gus Guest', 600),
]

export const REALM_TABLES = {
  zerver_realm: [
    {
      id: 7,
      name: 'Harbour',
      waiting_period_threshold: 30,
      message_edit_history_visibility_policy: 2,
      topics_policy: 3,
      message_content_edit_limit_seconds: null,
      message_content_delete_limit_seconds: 3_600,
      message_retention_days: -1,
      default_language: 'de',
      enable_read_receipts: true,
      org_type: 20,
      giphy_rating: 77,
      jitsi_server_url: null,
      video_chat_provider: 5,
      new_stream_announcements_stream: 21,
      signup_announcements_stream: null,
      moderation_request_channel: 404,
      presence_disabled: true,
      enable_spectator_access: true,
      emails_restricted_to_domains: true,
      can_create_public_channel_group: ROLES['role:moderators'],
      can_create_private_channel_group: ROLES['role:fullmembers'],
      can_invite_users_group: PIA_AND_ADMINISTRATORS,
      can_access_all_users_group: PAINTERS,
      can_manage_all_groups: ROLES['role:nobody'],
      can_create_groups: NOT_THERE,
      can_add_custom_emoji_group: GONE,
      can_sing_group: PAINTERS,
      direct_message_permission_group: ROLES['role:nobody'],
    },
  ],
  zerver_realmuserdefault: [{ id: 1, twenty_four_hour_time: true, enter_sends: true, color_scheme: 99 }],
  zerver_realmdomain: [
    { id: 1, domain: 'Harbour.example', allow_subdomains: true },
    { id: 2, domain: 'no domain', allow_subdomains: true },
  ],
  zerver_realmauthenticationmethod: [{ id: 1, name: 'Google' }],
  zerver_userprofile: USER_ROWS,
  zerver_usergroup: [...Object.values(ROLES), PAINTERS, CREW, GONE, KIM_ALONE, PIA_AND_ADMINISTRATORS].map((id) => ({
    id,
  })),
  zerver_namedusergroup: [
    ...Object.entries(ROLES).map(([name, usergroup_ptr]) => ({ name, usergroup_ptr, is_system_group: true })),
    {
      usergroup_ptr: CREW,
      name: 'crew',
      creator: ADA,
      date_created: START_TIME,
      can_leave_group: ROLES['role:nobody'],
    },
    {
      usergroup_ptr: PAINTERS,
      name: 'painters',
      can_manage_group: KIM_ALONE,
      can_join_group: ROLES['role:everyone'],
      can_mention_group: CREW,
    },
    { usergroup_ptr: GONE, name: 'gone', deactivated: true },
  ],
  zerver_usergroupmembership: [
    { user_group: PAINTERS, user_profile: PIA },
    { user_group: KIM_ALONE, user_profile: KIM },
    { user_group: PIA_AND_ADMINISTRATORS, user_profile: PIA },
    { user_group: GONE, user_profile: KIM },
    { user_group: ROLES['role:owners'], user_profile: KIM },
  ],
  zerver_groupgroupmembership: [
    { supergroup: CREW, subgroup: PAINTERS },
    { supergroup: PAINTERS, subgroup: CREW },
    { supergroup: PIA_AND_ADMINISTRATORS, subgroup: ROLES['role:administrators'] },
    { supergroup: ROLES['role:owners'], subgroup: PAINTERS },
  ],
  zerver_channelfolder: [
    { id: 91, name: 'Ships', order: 2, creator: ADA },
    { id: 92, name: 'Land', order: 1 },
    { id: 93, name: 'ships', order: 3 },
  ],
  zerver_stream: [
    {
      id: 21,
      name: 'plans',
      creator: KIM,
      folder: 91,
      topics_policy: 4,
      message_retention_days: 30,
      can_administer_channel_group: KIM_ALONE,
      can_add_subscribers_group: ROLES['role:internet'],
    },
    { id: 22, name: 'board', invite_only: true, folder: 93, can_subscribe_group: CREW, topics_policy: 9 },
    { id: 23, name: 'news', can_send_message_group: PIA_AND_ADMINISTRATORS },
    { id: 24, name: 'broken', can_send_message_group: NOT_THERE },
    { id: 25, name: 'web', is_web_public: true, can_send_message_group: null },
  ],
  zerver_recipient: [21, 22, 23, 24, 25].map((channel) => ({ id: channel + 10, type: 2, type_id: channel })),
  zerver_subscription: [
    ...USER_IDS.flatMap((user_profile) =>
      [31, 33, 34, 35].map((recipient) => ({ user_profile, recipient, active: true })),
    ),
    { user_profile: OLGA, recipient: 32, active: true, push_notifications: true, email_notifications: false },
  ],
}

export const FILES = {
  'realm.json': REALM_TABLES,
  'messages-000001.json': {
    zerver_message: [{ id: 101, sender: OLGA, recipient: 31, subject: 'hull', content: 'Hi', date_sent: START_TIME }],
  },
}
