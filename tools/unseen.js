/** Names that no test run reports. @type {(Partial<import('./contract-report.js').Names> & { why: string })[]} */
export const UNSEEN_NAMES = [
  {
    why: 'the server cannot be set up for a push service',
    errorCodes: [
      'ADMIN_ACTION_REQUIRED',
      'FAILED_TO_CONNECT_BOUNCER',
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
      'INVALID_BOUNCER_PUBLIC_KEY',
      'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
      'INVALID_SERVICE_SERVER',
      'MISSING_REMOTE_REALM',
      'PUSH_NOTIFICATIONS_DISALLOWED',
      'REMOTE_BILLING_UNAUTHENTICATED_USER',
      'REMOTE_REALM_SERVER_MISMATCH_ERROR',
      'REMOTE_SERVER_DEACTIVATED',
      'REQUEST_EXPIRED',
    ],
    eventTypes: ['push_device', 'device/update'],
  },
  {
    why: 'the server cannot be set up for Zoom',
    errorCodes: ['INVALID_ZOOM_TOKEN', 'UNKNOWN_ZOOM_USER'],
    eventTypes: ['has_zoom_token'],
  },
  {
    why: 'parts of a web client that the server does not bring',
    errorCodes: ['INVALID_MARKDOWN_INCLUDE_STATEMENT', 'PASSWORD_RESET_REQUIRED'],
    eventTypes: ['web_reload_client'],
  },
  {
    why: 'queues outlive a restart',
    eventTypes: ['restart'],
  },
  {
    why: 'introduced after the feature level of this server',
    eventTypes: ['realm_emoji/add', 'realm_emoji/update_one'],
    registerFields: [
      'gif_rating_policy_options',
      'realm_default_avatar_source',
      'realm_gif_rating_policy',
      'realm_owner_full_content_access',
      'realm_uuid',
      'server_report_message_types',
      'tenor_api_key',
    ],
  },
  {
    why: 'no organization is a trial that ends by itself',
    registerFields: ['demo_organization_scheduled_deletion_date'],
  },
  {
    why: 'said with another code: UNAUTHENTICATED_USER, BAD_REQUEST',
    errorCodes: ['UNAUTHORIZED', 'REQUEST_TIMEOUT'],
  },
  {
    why: 'a bot that ends is told as one that is not active any more',
    eventTypes: ['realm_bot/remove'],
  },
]
