import type { Limit } from '../../kernel/limits.ts'
import { ERRORS, type ErrorCode } from '../../kernel/refusal.ts'
import { API_PREFIX } from '../http/paths.ts'
import type { ApiNames } from '../http/names.ts'
import { cookieName } from '../http/session-cookie.ts'
import type { RateLimit } from '../limits/rate.ts'
import type { QueueLimits } from '../queues/queue.ts'
import { streamHeartbeatSeconds } from '../queues/registry.ts'
import { html, scrollableTable, type Html } from './html.ts'
import { describedError } from './reference.ts'
import { wireName } from './schema.ts'

export interface GuideFacts {
  readonly featureLevel: number
  readonly apiNames: ApiNames
  readonly queueLimits: QueueLimits
  readonly countLimits: readonly Limit[]
  /** Maximum file size, and the quota; null for no limit. */
  readonly uploadLimits: { readonly maxMebibytes: number; readonly quotaMebibytes: number | null }
  /** Undefined if rate limits are off. */
  readonly rateLimits:
    { readonly user: RateLimit; readonly address: RateLimit; readonly failedLogins: RateLimit } | undefined
}

export function guide(
  facts: GuideFacts,
): readonly { readonly id: string; readonly title: string; readonly text: Html }[] {
  return [
    { id: 'first-calls', title: 'First calls', text: firstCalls() },
    { id: 'authentication', title: 'Authentication', text: authentication() },
    { id: 'parameters', title: 'Parameters', text: parameters() },
    { id: 'answers-and-errors', title: 'Answers and errors', text: answersAndErrors(facts.apiNames) },
    { id: 'rate-limits', title: 'Rate limits', text: rateLimits(facts.rateLimits) },
    { id: 'limits', title: 'Limits', text: mostOf(facts) },
    { id: 'feature-level', title: 'Feature level', text: featureLevel(facts) },
    { id: 'event-queues', title: 'Event queues', text: eventQueues(facts.queueLimits) },
    { id: 'event-stream', title: 'Events as a stream', text: eventStream(facts.queueLimits) },
  ]
}

function firstCalls(): Html {
  return html`<p>
      Set the address of this server, without a slash at its end, and exchange your e-mail address and password for an
      API key. Every example on this page uses these variables.
    </p>
    <pre tabindex="0"><code>PARLEY=https://chat.example.org
EMAIL=you@example.org
curl "$PARLEY${API_PREFIX}/fetch_api_key" \\
  --data-urlencode "username=$EMAIL" \\
  --data-urlencode 'password=your password'
API_KEY='the api_key of the answer'
curl -u "$EMAIL:$API_KEY" "$PARLEY${API_PREFIX}/users/me"</code></pre>
    <p>
      The same reference for programs is <a href="${API_PREFIX}/openapi.json">an OpenAPI 3.1 document</a>. All paths
      below begin with <code>${API_PREFIX}</code>.
    </p>`
}

function authentication(): Html {
  return html`<p>
      Requests carry HTTP Basic credentials: the API email of a user or bot as the user name, its API key as the
      password. Keys are not taken from anywhere else. Endpoints marked <span class="badge">no login</span> answer
      without, those marked <span class="badge">login optional</span> with less where there is something open to all.
      Any other request without credentials is refused with <code>UNAUTHENTICATED_USER</code>, one with wrong ones with
      <code>INVALID_API_KEY</code>, both with status 401. What you may not see is answered as if it did not exist.
    </p>
    <p>
      An <a href="#createApiToken">API token</a> takes the place of the API key for programs that need not do
      everything: as the password, or alone as <code>Authorization: Bearer</code>. It opens the endpoints that say so.
      Any other is refused with <code>INSUFFICIENT_SCOPE</code> and status 403, and what is wrong with a token as with a
      key. An event queue that is registered with a token names its <code>event_types</code>, and belongs to the token
      alone.
    </p>
    <p>
      A browser is signed in by <a href="#login"><code>POST /login</code></a> instead, which sets a cookie that no
      script can read: <code>${cookieName(true)}</code>, or <code>${cookieName(false)}</code> at a server that is
      reached without encryption. It counts for every request without an <code>Authorization</code> header that a page
      of the server’s own origin sends: <code>Sec-Fetch-Site</code> is <code>same-origin</code>, or where the browser
      does not send it, <code>Origin</code> is the server’s. Where it sends neither, the cookie counts for
      <code>GET</code>; for files and pictures also when a person opens their address. Any other request is answered as
      if it had no cookie. A session ends when it was not used for a month, and is then refused with
      <code>UNAUTHENTICATED_USER</code>, which takes the cookie away. Changing the password or the API key ends all
      other sessions. A session ends with its event queues.
    </p>`
}

function parameters(): Html {
  return html`<p>
      <code>GET</code> takes parameters in the query, the other methods as a form (<code
        >application/x-www-form-urlencoded</code
      >
      or <code>multipart/form-data</code>); either is accepted on every method. Text is written as it is. Numbers,
      booleans, lists and objects are JSON, each inside its one field: <code>num_before=20</code>,
      <code>dont_block=true</code>, <code>event_types=["message"]</code>. Where a parameter takes text as well as
      something else, text may be written bare or as a JSON string. What is marked <span class="badge">JSON</span> below
      is best sent as JSON.
    </p>
    <p>
      Parameters that an endpoint does not have change nothing; the answer names them in
      <code>ignored_parameters_unsupported</code>. Times are UNIX seconds unless a field says otherwise. A channel is
      called a stream in older names such as <code>stream_id</code>, the organization a realm, and direct messages are
      of the type <code>private</code>. <code>HEAD</code> is answered wherever <code>GET</code> is.
    </p>`
}

function answersAndErrors(names: ApiNames): Html {
  // Safe: the keys of ERRORS are the codes.
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const known = codes.map((code) => ({ ...describedError(code, names), meaning: MEANINGS[code] }))
  return html`<p>
      An answer is a JSON object. When the request succeeded, its <code>result</code> is <code>"success"</code>, its
      <code>msg</code> is empty and the status is 200; the endpoint's own fields stand beside them. When it was refused,
      nothing has changed, <code>result</code> is <code>"error"</code>, <code>msg</code> is a sentence for people and
      <code>code</code> a word for programs, sometimes with further fields. A server that has lost its database for a
      moment answers with status 503, the header <code>Retry-After</code> and the code <code>SERVER_NOT_READY</code>,
      one that found a bug of its own with status 500 and the same code, one without room for an upload with 507: ask
      again; a message that names an <code>idempotency_key</code>, or its <code>queue_id</code> and
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

/** Codes specific to an endpoint are explained there. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'The request cannot be done: it names what does not exist or what you may not see or do.',
  REQUEST_VARIABLE_MISSING: 'A required parameter is missing; var_name is its name.',
  REQUEST_VARIABLE_INVALID: 'A parameter has the wrong type or a value that is not allowed.',
  REQUEST_CONFUSING_VAR: 'A parameter came both under its name and under its deprecated name.',
  INVALID_JSON: 'A parameter that must be JSON is not.',
  BAD_IMAGE: 'What was uploaded is no picture that the server can read.',
  REALM_UPLOAD_QUOTA: 'The organization keeps as many uploaded files as it may.',
  BAD_NARROW: 'A narrow has a condition that is not understood or not possible.',
  MISSING_HTTP_EVENT_HEADER: 'The service does not name its event in the header where it does that.',
  ANOMALOUS_WEBHOOK_PAYLOAD: 'What came is not as the service webhook_name sends it.',
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: 'No message is made of event_type of webhook_name; there is nothing to be mended.',
  BAD_EVENT_QUEUE_ID: 'The event queue is gone or never was; register a new one.',
  INVALID_PUSH_DEVICE_TOKEN: 'None of your phones has registered this token.',
  NO_ACTIVE_PUSH_DEVICE: 'None of your phones is registered for encrypted notifications.',
  PUSH_SERVICE_NOT_CONFIGURED: 'The server has no service that reaches phones.',
  STREAM_DOES_NOT_EXIST: 'There is no such channel for you; stream or stream_id says which was meant.',
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 'You may not mention everybody in a channel with so many subscribers.',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 'You may not mention everybody in a topic with so many participants.',
  CANNOT_DEACTIVATE_LAST_USER: 'Somebody has to be left who can run the organization.',
  EXPECTATION_MISMATCH: 'What the request would replace is no longer what it names; nothing was changed.',
  SYSTEM_GROUP_REQUIRED: 'The setting setting_name takes only a group that stands for a role.',
  CANNOT_DEACTIVATE_GROUP_IN_USE: 'The group is used in other places; objections lists them.',
  CANNOT_ADMINISTER_CHANNEL: 'You may know of the channel, but not change it.',
  INVITATION_FAILED:
    'Some or all of the people were not invited: errors lists addresses with the reason, and sent_invitations tells whether the others were.',
  CHANNEL_ALREADY_EXISTS: 'A channel of this name exists.',
  INVALID_API_KEY: 'The user name or the API key is wrong.',
  AUTHENTICATION_FAILED: 'The user name or the password is wrong, or the link that signs in is not good any more.',
  PASSWORD_AUTH_DISABLED: 'The password is right, and gives no API key: the account takes a second factor.',
  UNAUTHENTICATED_USER: 'The request has no credentials and needs them, or its session has ended.',
  USER_DEACTIVATED: 'The account was deactivated.',
  REALM_DEACTIVATED: 'The organization was deactivated: nobody can use it.',
  INSUFFICIENT_SCOPE: 'The API token is good, and does not open this.',
  CONFIRMATION_REQUIRED:
    'The person at the browser must first confirm who they are. Each of `methods` is one way: `password`, `passkey`.',
  CSRF_FAILED: 'A browser sent the request from a page of another site.',
  NONEXISTENT_SUBDOMAIN: 'No organization has this host name.',
  NOT_FOUND: 'No such endpoint or file.',
  UNAUTHORIZED_PRINCIPAL: 'Only an administrator, or somebody with the permission for it, may do this.',
  REACTION_ALREADY_EXISTS: 'You have put this emoji on this message already.',
  REACTION_DOES_NOT_EXIST: 'You have not put this emoji on this message.',
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED:
    'You may not move messages this old; the fields tell how many of the topic you may move, and the first of them.',
  RATE_LIMIT_HIT: 'Too many requests; Retry-After and retry-after say how many seconds to wait.',
}

function rateLimits(limits: GuideFacts['rateLimits']): Html {
  const headers = html`<code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and
    <code>X-RateLimit-Reset</code>`
  if (limits === undefined) {
    return html`<p>
      This server does not limit requests. Where one does, answers tell of it in the headers ${headers}.
    </p>`
  }
  return html`<p>
    A user may make ${inTime(limits.user, 'requests')}. An address without a login may make
    ${inTime(limits.address, 'requests')}, and one user name allows ${inTime(limits.failedLogins, 'failed logins')} from
    one network, and more from all networks together. Answers carry the headers ${headers} (the UNIX time at which the
    count begins anew). What is beyond the limit is refused with status 429 and <code>RATE_LIMIT_HIT</code>: wait for as
    many seconds as <code>Retry-After</code> says. Waiting for events is one request however long it takes.
  </p>`
}

function mostOf({ countLimits, uploadLimits }: GuideFacts): Html {
  const { maxMebibytes, quotaMebibytes } = uploadLimits
  const limits = [
    ...countLimits.map(({ most, per, what }) => limit(most, what, per)),
    limit(maxMebibytes, 'mebibytes', 'uploaded file'),
    ...(quotaMebibytes === null ? [] : [limit(quotaMebibytes, 'mebibytes of uploaded files', 'organization')]),
  ]
  return html`<p>
      Nothing grows without an end. What is beyond these limits is refused with <code>BAD_REQUEST</code>, unless the
      table says otherwise, and changes nothing.
    </p>
    ${scrollableTable('Limits', ['Most', 'What', 'Per'], limits)}`
}

function limit(most: number, what: string, per: string): Html {
  return html`<tr>
    <td>${most.toLocaleString('en')}</td>
    <th scope="row">${what}</th>
    <td>${per}</td>
  </tr>`
}

function inTime({ count, seconds }: RateLimit, what: string): string {
  return `${count} ${what} ${seconds === 60 ? 'a minute' : `in ${duration(seconds)}`}`
}

function duration(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function featureLevel({ featureLevel: level, apiNames }: GuideFacts): Html {
  return html`<p>
    The feature level is a number that grows with the API: a server at level <em>N</em> can do everything that was
    introduced up to <em>N</em>. This one is at level <strong>${level}</strong>. It says so as
    <code>${wireName(apiNames, 'service_feature_level')}</code> in
    <a href="#getServerSettings">GET /server_settings</a> and <a href="#registerQueue">POST /register</a>; where that
    field is absent, assume 0. Endpoints that have not always been there are marked with the level that brought them.
  </p>`
}

function eventQueues({ idleSeconds, heartbeatSeconds }: QueueLimits): Html {
  return html`<ol>
      <li>
        <a href="#registerQueue">POST /register</a> gives you a <code>queue_id</code>, a <code>last_event_id</code> and
        the state of what you asked for. Whatever happens after that moment comes as events, nothing twice and nothing
        left out.
      </li>
      <li>
        <a href="#getEvents">GET /events</a> with both answers at once when there are events after
        <code>last_event_id</code> and otherwise waits. Handle them, and ask again with the highest <code>id</code> you
        got: that acknowledges everything up to it. Ids grow, but not by one.
      </li>
      <li>
        After about ${duration(heartbeatSeconds)} without news comes a <code>heartbeat</code> event. Let your HTTP
        client wait for <code>event_queue_longpoll_timeout_seconds</code> of the register response.
      </li>
      <li>
        When the connection breaks, ask again with the same ids. A queue that nobody asks for ${duration(idleSeconds)}
        is collected; then the answer is <code>BAD_EVENT_QUEUE_ID</code>, and you begin again with the first step. With
        the client capability <code>long_lifespan</code> it stays for 14 days, unless very much happens meanwhile.
      </li>
    </ol>
    <p>
      To show your own messages before the server has them, send them with your <code>queue_id</code> and a
      <code>local_id</code> of your choice. It comes back in the message event of that queue, and sending again with the
      same two sends nothing twice while the queue lives. An <code>idempotency_key</code> does the same for a week,
      whatever becomes of the queue: keep it with the message until the server has answered, and send both again as they
      were.
    </p>
    <p>
      To know which events an answer holds already, register with the client capability <code>log_position</code>: the
      answer's field of that name is the position of the log at which the queue begins. An event is at that position
      plus its <code>id</code> divided by 1,024, rounded down. Every answer to a <code>GET</code> with a login, but that
      of <a href="#getEvents">GET /events</a>, says in the header <code>Parley-Position</code> up to which position it
      holds every event: leave those out. What later events tell may be in it as well or not, so apply those to it so
      that nothing changes where it is there already. Ids that are no multiples of 1,024 belong to events that are in no
      log, such as typing: apply them always.
    </p>
    <p>
      Other answers with a login say in the same header a position at which what they changed is in the log. Where
      several servers stand behind one address, send the highest that you were told as <code>Parley-Position</code> with
      your requests: a server that has not read so far does that before it answers, so that you find what you wrote
      wherever you ask.
    </p>`
}

function eventStream({ heartbeatSeconds }: QueueLimits): Html {
  return html`<p>
      <a href="#getEvents">GET /events</a> with the header <code>Accept: text/event-stream</code> keeps its answer open
      and sends what polls would get, with the same ids: an <code>EventSource</code> of a browser reads it. It takes the
      same parameters and counts as one request of the rate limits. What a poll is refused with, it is refused with, as
      JSON and before it opens.
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
        First comes the name of the queue, under <code>event: queue</code>. Events have no name, but their
        <code>id</code> and themselves as <code>data</code>. About every
        ${duration(streamHeartbeatSeconds(heartbeatSeconds))} comes an empty comment: a stream that is silent for much
        longer is broken.
      </li>
      <li>
        What ends for good says why under <code>event: error</code>, with the envelope of an error: the queue is gone,
        or the session or the API key has ended. A stream that ends without it, because the server restarts, an hour is
        over, or another poll or stream of the queue took its place, is to begin again.
      </li>
      <li>
        To begin again, send the last <code>id</code> as the header <code>Last-Event-ID</code>, as an
        <code>EventSource</code> does by itself, or as <code>last_event_id</code>; the header wins. That acknowledges
        everything up to it, and nothing after it is lost. What is in no log, such as typing, is not sent again.
      </li>
      <li>
        Who reads slowly has a small part waiting and gets the rest as fast as it reads. Who takes nothing for some
        minutes is cut, and goes on in the same way.
      </li>
      <li>
        A proxy that collects answers before it passes them on delivers nothing. The server tells it not to (<code
          >X-Accel-Buffering: no</code
        >); where nothing comes within a few seconds, poll.
      </li>
    </ul>`
}
