/**
 * Every code a refusal can carry, with its HTTP status and the extra fields of its envelope.
 * Source: the error table of the API contract. A request is refused with one of these or it succeeds;
 * anything else that is thrown is a bug and becomes a 500 with a request id.
 */
export const ERRORS = {
  /** General invalid request: unknown or inaccessible object, missing permission, over-long text. */
  BAD_REQUEST: { status: 400 },
  REQUEST_VARIABLE_MISSING: { status: 400 },
  REQUEST_VARIABLE_INVALID: { status: 400 },
  /** A parameter and its deprecated alias were both given. */
  REQUEST_CONFUSING_VAR: { status: 400 },
  INVALID_JSON: { status: 400 },
  BAD_NARROW: { status: 400 },
  /** A service does not name its event where it does that. */
  MISSING_HTTP_EVENT_HEADER: { status: 400 },
  /** What a service sent is not as it sends it. Carries `webhook_name`. */
  ANOMALOUS_WEBHOOK_PAYLOAD: { status: 400 },
  /**
   * A service tells of something of which no message is made. To the service all is well: it would send it again otherwise.
   * Carries `webhook_name` and `event_type`.
   */
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: { status: 200 },
  /** No picture that the server can read. */
  BAD_IMAGE: { status: 400 },
  /** The organization keeps as many files as it may. */
  REALM_UPLOAD_QUOTA: { status: 400 },
  BAD_EVENT_QUEUE_ID: { status: 400 },
  /** A phone has not registered this token. */
  INVALID_PUSH_DEVICE_TOKEN: { status: 400 },
  NO_ACTIVE_PUSH_DEVICE: { status: 400 },
  PUSH_SERVICE_NOT_CONFIGURED: { status: 400 },
  /** Only administrators may: channel folders. */
  UNAUTHORIZED_PRINCIPAL: { status: 400 },
  STREAM_DOES_NOT_EXIST: { status: 400 },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
  CANNOT_DEACTIVATE_LAST_USER: { status: 400 },
  /** A setting or a text no longer has the value that the client expects. */
  EXPECTATION_MISMATCH: { status: 400 },
  /** Carries `setting_name`. */
  SYSTEM_GROUP_REQUIRED: { status: 400 },
  /** Carries `objections`: what the group is used for. */
  CANNOT_DEACTIVATE_GROUP_IN_USE: { status: 400 },
  CANNOT_ADMINISTER_CHANNEL: { status: 400 },
  /** Some people were not invited; the fields say who, why, and whether the others were. */
  INVITATION_FAILED: { status: 400 },
  CHANNEL_ALREADY_EXISTS: { status: 409 },
  REACTION_ALREADY_EXISTS: { status: 400 },
  REACTION_DOES_NOT_EXIST: { status: 400 },
  /** Messages are too old for the actor to move them; the fields say what of the topic is not. */
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: { status: 400 },
  /** Login failed: the name is unknown, or the password or the API key is wrong. The code does not say which. */
  INVALID_API_KEY: { status: 401 },
  AUTHENTICATION_FAILED: { status: 401 },
  UNAUTHENTICATED_USER: { status: 401 },
  /** The password is right, and gives no key, since the account takes a second factor. */
  PASSWORD_AUTH_DISABLED: { status: 401 },
  USER_DEACTIVATED: { status: 401 },
  REALM_DEACTIVATED: { status: 401 },
  /** The API token is good, and does not open this. */
  INSUFFICIENT_SCOPE: { status: 403 },
  /** The person at the browser must first confirm who they are. Carries `methods`. */
  CONFIRMATION_REQUIRED: { status: 403 },
  /** A browser sends it on behalf of another site. */
  CSRF_FAILED: { status: 403 },
  NONEXISTENT_SUBDOMAIN: { status: 404 },
  NOT_FOUND: { status: 404 },
  RATE_LIMIT_HIT: { status: 429 },
} as const satisfies Record<string, { status: number }>

export type ErrorCode = keyof typeof ERRORS

/** What every endpoint can answer without declaring it: before its handler runs, or about a parameter. */
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

/**
 * An error that the client is told: the user may not or cannot do this. It becomes the documented error envelope, and
 * the request changes nothing.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly extra: Readonly<Record<string, unknown>>
  readonly status: number

  /**
   * @param code one of `ERRORS`, declared by the endpoint that throws it
   * @param message a sentence for the person who reads it; never reveals what the actor may not see
   * @param extra the code's documented extra fields
   */
  constructor(
    code: ErrorCode,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    status: number = ERRORS[code].status,
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.extra = extra
    this.status = status
  }

  envelope(): Record<string, unknown> {
    return { result: 'error', msg: this.message, code: this.code, ...this.extra }
  }
}

/** The refusal of every request to an organization that was deactivated. */
export function organizationDeactivated(): Refusal {
  return new Refusal('REALM_DEACTIVATED', 'This organization has been deactivated')
}

/** The refusal of a request without credentials where the endpoint needs some. */
export function notLoggedIn(): Refusal {
  return new Refusal('UNAUTHENTICATED_USER', 'Not logged in: API authentication or user session required')
}
