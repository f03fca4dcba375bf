import type { Limit } from '../../kernel/limits.ts'
import { ERRORS, type ErrorCode } from '../../kernel/refusal.ts'
import { keysOf } from '../../kernel/keys.ts'
import { API_PREFIX } from '../http/routing.ts'
import type { ApiNames } from '../http/names.ts'
import { cookieName } from '../http/session-cookie.ts'
import type { RateLimit } from '../limits/rate.ts'
import type { QueueLimits } from '../queues/queue.ts'
import { streamHeartbeatSeconds } from '../queues/registry.ts'
import { html, scrollableTable, type Html } from './html.ts'
import { describeError } from './reference.ts'
import { wireName } from './schema.ts'

export interface GuideFacts {
  readonly featureLevel: number
  readonly apiNames: ApiNames
  readonly queueLimits: QueueLimits
  readonly countLimits: readonly Limit[]
  readonly uploadLimits: { readonly maxMebibytes: number; readonly quotaMebibytes: number | null }
  readonly rateLimits:
    { readonly user: RateLimit; readonly address: RateLimit; readonly failedLogins: RateLimit } | undefined
}

export function guideSections(
  facts: GuideFacts,
): readonly { readonly id: string; readonly title: string; readonly text: Html }[] {
  return [
    { id: 'first-calls', title: 'First calls', text: firstCallsSection() },
    { id: 'authentication', title: 'Authentication', text: authenticationSection() },
    { id: 'parameters', title: 'Parameters', text: parametersSection() },
    { id: 'answers-and-errors', title: 'Answers and errors', text: answersAndErrorsSection(facts.apiNames) },
    { id: 'rate-limits', title: 'Rate limits', text: rateLimitsSection(facts.rateLimits) },
    { id: 'limits', title: 'Limits', text: limitsSection(facts) },
    { id: 'feature-level', title: 'Feature level', text: featureLevelSection(facts) },
    { id: 'event-queues', title: 'Event queues', text: eventQueuesSection(facts.queueLimits) },
    { id: 'event-stream', title: 'Events as a stream', text: eventStreamSection(facts.queueLimits) },
  ]
}

function firstCallsSection(): Html {
  return html`<p>
      Set the address of this server, without a slash at its end, and exchange your e-mail address and password for an
      API key. Every example on this page uses these variables.
    </p>
    <pre tabindex="0"><code>PARLEY=https://chat.example.org
EMAIL=you@example.org
curl "$PARLEY${API_PREFIX}/fetch_api_key" \\
  --data-urlencode "username=$EMAIL" \\
  --data-urlencode 'password=your password'
API_KEY='the api_key in the response'
curl -u "$EMAIL:$API_KEY" "$PARLEY${API_PREFIX}/users/me"</code></pre>
    <p>
      The same reference for programs is <a href="${API_PREFIX}/openapi.json">an OpenAPI 3.1 document</a>. All paths
      below begin with <code>${API_PREFIX}</code>.
    </p>`
}

function authenticationSection(): Html {
  return html`<p>
      Authenticate requests with HTTP Basic: the API email of a user or bot as the user name, and its API key as the
      password. No other place for the key is supported. Endpoints marked <span class="badge">no login</span> need no
      authentication; those marked <span class="badge">login optional</span> return only public data without it. Other
      requests without credentials are refused with <code>UNAUTHENTICATED_USER</code>, and those with wrong credentials
      with <code>INVALID_API_KEY</code>, both with status 401. What you cannot see is treated as if it did not exist.
    </p>
    <p>
      An <a href="#createApiToken">API token</a> replaces the API key for programs that need limited access: as the
      password, or alone as <code>Authorization: Bearer</code>. It works on the endpoints that document a scope. Others
      refuse it with <code>INSUFFICIENT_SCOPE</code> and status 403. Invalid tokens are refused like invalid keys. An
      event queue registered with a token must list its <code>event_types</code>, and belongs to that token only.
    </p>
    <p>
      Browsers sign in with <a href="#login"><code>POST /login</code></a
      >, which sets a cookie that scripts cannot read: <code>${cookieName(true)}</code>, or
      <code>${cookieName(false)}</code> on a server without encryption. The cookie is valid for requests without an
      <code>Authorization</code> header from pages of the server’s own origin: <code>Sec-Fetch-Site</code> is
      <code>same-origin</code> or, if the browser does not send it, <code>Origin</code> is the server’s. If the browser
      sends neither, the cookie is valid for <code>GET</code>, and for files and pictures also when a person opens their
      URL. Other requests are treated as if they had no cookie. A session ends, with its event queues, after a month
      without use; requests are then refused with <code>UNAUTHENTICATED_USER</code>, which removes the cookie. Changing
      the password or the API key ends all other sessions.
    </p>`
}

function parametersSection(): Html {
  return html`<p>
      Send parameters of <code>GET</code> in the query, and those of other methods as a form (<code
        >application/x-www-form-urlencoded</code
      >
      or <code>multipart/form-data</code>); every method accepts both. Send text as it is, and numbers, booleans, lists,
      and objects as JSON in their field: <code>num_before=20</code>, <code>dont_block=true</code>,
      <code>event_types=["message"]</code>. If a parameter accepts text and other types, text can be plain or a JSON
      string. Send parameters marked <span class="badge">JSON</span> as JSON.
    </p>
    <p>
      Unknown parameters are ignored and listed in <code>ignored_parameters_unsupported</code> of the response. Times
      are UNIX seconds unless a field says otherwise. Older names such as <code>stream_id</code> call a channel a
      stream, the organization a realm, and direct messages the type <code>private</code>. <code>HEAD</code> works
      wherever <code>GET</code> does.
    </p>`
}

function answersAndErrorsSection(names: ApiNames): Html {
  const known = keysOf(ERRORS).map((code) => ({ ...describeError(code, names), meaning: ERROR_MEANINGS[code] }))
  return html`<p>
      A response is a JSON object. On success, <code>result</code> is <code>"success"</code>, <code>msg</code> is empty,
      and the status is 200; the endpoint's own fields are beside them. On refusal, nothing has changed,
      <code>result</code> is <code>"error"</code>, <code>msg</code> is a sentence for people, and
      <code>code</code> identifies the error for programs, sometimes with more fields. While the database is
      unreachable, the server returns status 503, the header <code>Retry-After</code>, and the code
      <code>SERVER_NOT_READY</code>; after an internal error, status 500 and the same code; without space for an upload,
      507. Retry these requests: a message with an <code>idempotency_key</code>, or with its <code>queue_id</code> and
      <code>local_id</code>, is never sent twice.
    </p>
    <pre tabindex="0"><code>{
  "result": "error",
  "msg": "Missing 'content' argument",
  "code": "REQUEST_VARIABLE_MISSING",
  "var_name": "content"
}</code></pre>
    ${scrollableTable(
      'Error codes',
      ['Code', 'Status', 'Meaning'],
      known.map(
        ({ code, status, meaning }) =>
          html`<tr id="error-${code}">
            <th scope="row"><code>${code}</code></th>
            <td>${status}</td>
            <td>${meaning}</td>
          </tr>`,
      ),
    )}`
}

const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'The request is not possible: it refers to something that does not exist or that you cannot access.',
  REQUEST_VARIABLE_MISSING: 'A required parameter is missing; var_name is its name.',
  REQUEST_VARIABLE_INVALID: 'A parameter has the wrong type or a value that is not allowed.',
  REQUEST_CONFUSING_VAR: 'A parameter was sent under both its name and its deprecated name.',
  INVALID_JSON: 'A parameter that must be JSON is not.',
  BAD_IMAGE: 'The server cannot read the uploaded image.',
  REALM_UPLOAD_QUOTA: 'The organization has reached its upload quota.',
  BAD_NARROW: 'A narrow has an unknown or invalid condition.',
  MISSING_HTTP_EVENT_HEADER: 'The header in which the service names its event is missing.',
  ANOMALOUS_WEBHOOK_PAYLOAD: 'The payload does not match the format of the service webhook_name.',
  UNSUPPORTED_WEBHOOK_EVENT_TYPE:
    'Events of type event_type from webhook_name post no message. There is nothing to fix.',
  BAD_EVENT_QUEUE_ID: 'The event queue does not exist or has expired. Register a new one.',
  INVALID_PUSH_DEVICE_TOKEN: 'This token is not registered for any of your phones.',
  NO_ACTIVE_PUSH_DEVICE: 'You have no phone registered for encrypted notifications.',
  PUSH_SERVICE_NOT_CONFIGURED: 'The server has no push service for phones.',
  STREAM_DOES_NOT_EXIST: 'The channel does not exist or you cannot access it; stream or stream_id names it.',
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 'You cannot mention everyone in a channel with so many subscribers.',
  MESSAGE_HELD: 'The message contains a reviewed word, and waits for a moderator.',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 'You cannot mention everyone in a topic with so many participants.',
  SLOW_MODE: 'Slow mode is on in the channel or topic; wait_seconds tells how long to wait.',
  CANNOT_DEACTIVATE_LAST_USER: 'The organization must keep at least one owner.',
  CHALLENGE_REQUIRED: 'Signing up here needs the solution of a new challenge from GET /registrations/challenge.',
  EXPECTATION_MISMATCH: 'The current value differs from the expected one in the request; nothing was changed.',
  SYSTEM_GROUP_REQUIRED: 'The setting setting_name accepts only a group that stands for a role.',
  CANNOT_DEACTIVATE_GROUP_IN_USE: 'The group is in use; objections lists where.',
  CANNOT_ADMINISTER_CHANNEL: 'You can see the channel, but not change it.',
  INVITATION_FAILED:
    'Some or all invitations failed: errors lists addresses with the reason, and sent_invitations tells whether the others were sent.',
  CHANNEL_ALREADY_EXISTS: 'A channel with this name already exists.',
  INVALID_API_KEY: 'The user name or the API key is wrong.',
  AUTHENTICATION_FAILED: 'The user name or password is wrong, or the sign-in link is no longer valid.',
  PASSWORD_AUTH_DISABLED:
    'The password is right, but gives no API key because the account uses two-factor authentication.',
  UNAUTHENTICATED_USER: 'The request has no credentials and needs them, or its session has ended.',
  USER_DEACTIVATED: 'The account is deactivated.',
  REALM_DEACTIVATED: 'The organization is deactivated.',
  INSUFFICIENT_SCOPE: 'The API token is valid, but does not allow this request.',
  CONFIRMATION_REQUIRED:
    'The user must first confirm their identity in the browser. `methods` lists how: `password`, `passkey`.',
  CSRF_FAILED: 'The request came from another site.',
  NONEXISTENT_SUBDOMAIN: 'No organization has this host name.',
  NOT_FOUND: 'No such endpoint or file.',
  UNAUTHORIZED_PRINCIPAL: 'Requires an administrator or a user with the permission.',
  REACTION_ALREADY_EXISTS: 'You already added this reaction to the message.',
  REACTION_DOES_NOT_EXIST: 'You did not add this reaction to the message.',
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED:
    'These messages are too old for you to move; the fields give the number of messages in the topic that you can move, and the first of them.',
  RATE_LIMIT_HIT: 'Too many requests; Retry-After and retry-after say how many seconds to wait.',
}

function rateLimitsSection(limits: GuideFacts['rateLimits']): Html {
  const headers = html`<code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and
    <code>X-RateLimit-Reset</code>`
  if (limits === undefined) {
    return html`<p>This server does not limit requests. On servers that do, responses have the headers ${headers}.</p>`
  }
  return html`<p>
    A user can make ${formatRate(limits.user, 'requests')}. An address without authentication can make
    ${formatRate(limits.address, 'requests')}. One user name allows ${formatRate(limits.failedLogins, 'failed logins')}
    from one network, and more from all networks together. Responses have the headers ${headers} (the UNIX time of the
    next reset). Requests above a limit are refused with status 429 and <code>RATE_LIMIT_HIT</code>: wait for the
    seconds in <code>Retry-After</code>. Waiting for events counts as one request.
  </p>`
}

function limitsSection({ countLimits, uploadLimits }: GuideFacts): Html {
  const { maxMebibytes, quotaMebibytes } = uploadLimits
  const limits = [
    ...countLimits.map(({ most, per, what }) => limitItem(most, what, per)),
    limitItem(maxMebibytes, 'mebibytes', 'uploaded file'),
    ...(quotaMebibytes === null ? [] : [limitItem(quotaMebibytes, 'mebibytes of uploaded files', 'organization')]),
  ]
  return html`<p>
      Requests above these limits are refused with <code>BAD_REQUEST</code>, unless the table says otherwise, and change
      nothing.
    </p>
    ${scrollableTable('Limits', ['Most', 'What', 'Per'], limits)}`
}

function limitItem(most: number, what: string, per: string): Html {
  return html`<tr>
    <td>${most.toLocaleString('en')}</td>
    <th scope="row">${what}</th>
    <td>${per}</td>
  </tr>`
}

function formatRate({ count, seconds }: RateLimit, what: string): string {
  return `${count} ${what} ${seconds === 60 ? 'a minute' : `in ${formatDuration(seconds)}`}`
}

function formatDuration(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function featureLevelSection({ featureLevel: level, apiNames }: GuideFacts): Html {
  return html`<p>
    The feature level is a number that grows with the API: a server at level <em>N</em> supports everything introduced
    up to <em>N</em>. This one is at level <strong>${level}</strong>. It is in
    <code>${wireName(apiNames, 'service_feature_level')}</code> of
    <a href="#getServerSettings">GET /server_settings</a> and <a href="#registerQueue">POST /register</a>; if the field
    is missing, assume 0. Endpoints added later show the level that introduced them.
  </p>`
}

function eventQueuesSection({ idleSeconds, heartbeatSeconds }: QueueLimits): Html {
  return html`<ol>
      <li>
        <a href="#registerQueue">POST /register</a> returns a <code>queue_id</code>, a <code>last_event_id</code>, and
        the requested state. Later changes arrive as events, exactly once.
      </li>
      <li>
        <a href="#getEvents">GET /events</a> with both returns events after <code>last_event_id</code>, or waits for
        them. Handle them, and send the request again with the highest <code>id</code> you received: this acknowledges
        all events up to it. IDs increase, but not by one.
      </li>
      <li>
        After about ${formatDuration(heartbeatSeconds)} without events, the server sends a <code>heartbeat</code> event.
        Set the timeout of your HTTP client to <code>event_queue_longpoll_timeout_seconds</code> of the register
        response.
      </li>
      <li>
        If the connection breaks, repeat the request with the same IDs. A queue without requests for
        ${formatDuration(idleSeconds)} is removed; the response is then <code>BAD_EVENT_QUEUE_ID</code>, and you start
        again at step 1. With the client capability <code>long_lifespan</code>, the queue stays for 14 days, unless too
        many events accumulate.
      </li>
    </ol>
    <p>
      To show your own messages before the server confirms them, send them with your <code>queue_id</code> and a
      <code>local_id</code> of your choice. The message event in that queue contains it, and sending the same two again
      sends nothing twice while the queue exists. An <code>idempotency_key</code> does the same for a week, even without
      the queue: store it with the message until the server has responded, and resend both unchanged.
    </p>
    <p>
      To know which events a response already contains, register with the client capability <code>log_position</code>:
      the response's field of that name is the log position at which the queue starts. An event's position is that value
      plus its <code>id</code> divided by 1,024, rounded down. The header <code>Parley-Position</code> of every
      authenticated <code>GET</code>, except <a href="#getEvents">GET /events</a>, gives the position up to which the
      response contains all events: skip those. It may also contain later events, so apply those idempotently. IDs that
      are not multiples of 1,024 belong to events outside the log, such as typing: always apply them.
    </p>
    <p>
      Other authenticated responses give in the same header a position at which their changes are in the log. If several
      servers share one address, send the highest position you received as <code>Parley-Position</code> with your
      requests: a server that is behind catches up before it responds, so you always read your own writes.
    </p>`
}

function eventStreamSection({ heartbeatSeconds }: QueueLimits): Html {
  return html`<p>
      <a href="#getEvents">GET /events</a> with the header <code>Accept: text/event-stream</code> keeps its response
      open and streams the events that polls would return, with the same IDs, for the <code>EventSource</code> of
      browsers. It has the same parameters and counts as one request. Refusals are the same as for polls, as JSON before
      the stream opens.
    </p>
    <pre tabindex="0"><code>event: queue
data: {"result":"success","msg":"","queue_id":"fb67bf8a-c031-47cc-84cf-ed80accacda8"}

id: 1024
data: {"type":"realm_user","op":"update","person":{"user_id":8,"full_name":"Ann"},"id":1024}

:

event: error
data: {"result":"error","msg":"Bad event queue id: fb67…","code":"BAD_EVENT_QUEUE_ID","queue_id":"fb67…"}</code></pre>
    <ul>
      <li>
        The stream starts with the queue's name in <code>event: queue</code>. Events have no name, only their
        <code>id</code> and themselves as <code>data</code>. About every
        ${formatDuration(streamHeartbeatSeconds(heartbeatSeconds))}, the server sends an empty comment: a stream that is
        silent for much longer is broken.
      </li>
      <li>
        A stream that ends permanently gives the reason in <code>event: error</code>, as an error response: the queue is
        gone, or the session or API key has ended. If a stream ends without it, because the server restarts, an hour has
        passed, or another poll or stream of the queue replaced it, reconnect.
      </li>
      <li>
        To reconnect, send the last <code>id</code> as the header <code>Last-Event-ID</code>, as an
        <code>EventSource</code> does, or as <code>last_event_id</code>; the header takes precedence. This acknowledges
        all events up to it, and no later event is lost. Events outside the log, such as typing, are not repeated.
      </li>
      <li>
        Slow readers receive events as fast as they read. A reader that accepts nothing for several minutes is
        disconnected, and can reconnect.
      </li>
      <li>
        A proxy that buffers responses delivers nothing. The server asks it not to (<code>X-Accel-Buffering: no</code>);
        if nothing arrives within a few seconds, poll.
      </li>
    </ul>`
}
