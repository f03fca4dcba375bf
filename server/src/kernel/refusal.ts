/** Error codes of the API contract. Comments name extra fields. Any other thrown error is a bug and becomes a 500. */
export const ERRORS = {
  /** Inaccessible object, missing permission, overlong text, and the like. */
  BAD_REQUEST: { status: 400 },
  REQUEST_VARIABLE_MISSING: { status: 400 },
  REQUEST_VARIABLE_INVALID: { status: 400 },
  /** Both a parameter and its deprecated alias were given. */
  REQUEST_CONFUSING_VAR: { status: 400 },
  INVALID_JSON: { status: 400 },
  BAD_NARROW: { status: 400 },
  MISSING_HTTP_EVENT_HEADER: { status: 400 },
  /** Carries `webhook_name`. */
  ANOMALOUS_WEBHOOK_PAYLOAD: { status: 400 },
  /** Status 200, because the service would retry otherwise. Carries `webhook_name` and `event_type`. */
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: { status: 200 },
  BAD_IMAGE: { status: 400 },
  REALM_UPLOAD_QUOTA: { status: 400 },
  BAD_EVENT_QUEUE_ID: { status: 400 },
  /** No phone registered this token. */
  INVALID_PUSH_DEVICE_TOKEN: { status: 400 },
  NO_ACTIVE_PUSH_DEVICE: { status: 400 },
  PUSH_SERVICE_NOT_CONFIGURED: { status: 400 },
  /** A user who is not an administrator tried to manage channel folders. */
  UNAUTHORIZED_PRINCIPAL: { status: 400 },
  STREAM_DOES_NOT_EXIST: { status: 400 },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
  /** The message waits for review by a moderator instead of being sent. Carries `held_message_id`. */
  MESSAGE_HELD: { status: 400 },
  /** Slow mode is on. Carries `wait_seconds` and `stream_id`. */
  SLOW_MODE: { status: 400 },
  CANNOT_DEACTIVATE_LAST_USER: { status: 400 },
  /** Self-registration requires the solution of a new challenge. */
  CHALLENGE_REQUIRED: { status: 400 },
  /** The current value differs from the old value that the client sent. */
  EXPECTATION_MISMATCH: { status: 400 },
  /** Carries `setting_name`. */
  SYSTEM_GROUP_REQUIRED: { status: 400 },
  /** Carries `objections`: where the group is used. */
  CANNOT_DEACTIVATE_GROUP_IN_USE: { status: 400 },
  CANNOT_ADMINISTER_CHANNEL: { status: 400 },
  /** Carries the failed addresses with reasons, and whether the other addresses were invited. */
  INVITATION_FAILED: { status: 400 },
  CHANNEL_ALREADY_EXISTS: { status: 409 },
  REACTION_ALREADY_EXISTS: { status: 400 },
  REACTION_DOES_NOT_EXIST: { status: 400 },
  /** Carries the number of messages that are recent enough to move. */
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: { status: 400 },
  /** Does not reveal whether the email or the key is wrong. */
  INVALID_API_KEY: { status: 401 },
  AUTHENTICATION_FAILED: { status: 401 },
  UNAUTHENTICATED_USER: { status: 401 },
  /** The password is right but not enough to get the API key of an account with two-factor authentication. */
  PASSWORD_AUTH_DISABLED: { status: 401 },
  USER_DEACTIVATED: { status: 401 },
  REALM_DEACTIVATED: { status: 401 },
  /** The API token is valid but does not allow this request. */
  INSUFFICIENT_SCOPE: { status: 403 },
  /** The person must first confirm their identity. Carries `methods`. */
  CONFIRMATION_REQUIRED: { status: 403 },
  /** A browser sent the request on behalf of another site. */
  CSRF_FAILED: { status: 403 },
  NONEXISTENT_SUBDOMAIN: { status: 404 },
  NOT_FOUND: { status: 404 },
  RATE_LIMIT_HIT: { status: 429 },
} as const satisfies Record<string, { status: number }>

export type ErrorCode = keyof typeof ERRORS

export const GENERAL_ERRORS: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_VARIABLE_INVALID',
  'REQUEST_CONFUSING_VAR',
  'INVALID_JSON',
  'INVALID_API_KEY',
  'UNAUTHENTICATED_USER',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'INSUFFICIENT_SCOPE',
  'CSRF_FAILED',
  'NONEXISTENT_SUBDOMAIN',
  'RATE_LIMIT_HIT',
]

/** Error for the client. A request that throws it changes nothing. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extra: Readonly<Record<string, unknown>>
  readonly status: number

  /** `message` is a sentence for people and must not reveal anything that the actor cannot see. */
  constructor(
    code: ErrorCode,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    status: number = ERRORS[code].status,
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.extra = extra
    this.status = status
  }

  envelope(): Record<string, unknown> {
    return { result: 'error', msg: this.message, code: this.code, ...this.extra }
  }
}

/** Calls `undo` only if the transaction is refused. After other errors, the transaction may have been committed. */
export async function undoIfRefused<Result>(acting: Promise<Result>, undo: () => Promise<void>): Promise<Result> {
  try {
    return await acting
  } catch (error) {
    if (error instanceof ApiError) await undo()
    throw error
  }
}

export function organizationDeactivatedError(): ApiError {
  return new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated')
}

export function notLoggedInError(): ApiError {
  return new ApiError('UNAUTHENTICATED_USER', 'Not logged in: API authentication or user session required')
}
