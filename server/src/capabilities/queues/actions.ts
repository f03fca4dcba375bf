import type { Input, Output } from '../../kernel/endpoint.ts'
import { packLists } from '../../kernel/packing-rows.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { createYielder, waitForTurn, timeStep, turnOwner } from '../../kernel/pauses.ts'
import { notLoggedInError, ApiError } from '../../kernel/refusal.ts'
import type { ClientForm, Registration, Viewer } from '../../kernel/viewer.ts'
import { ANSWERED_MARK, type AnsweredMark, type Call, type OpenCall } from '../../platform/request.ts'
import type { ServerFacts, SharedFields, SnapshotContext, SnapshotPart } from '../../platform/server-facts.ts'
import { ComposedResponse, cachedFields, isJsonPieces, type CachedFields } from '../../platform/answers/composed.ts'
import { requireReadableEvents } from '../api-tokens/rules.ts'
import { hasPublicAccess } from '../channels/rules/outside-viewers.ts'
import { channelNarrow, resolveQueueNarrow } from '../history/queries/narrow.ts'
import { API_VERSION, FEATURE_LEVEL } from '../organizations/contract/index.ts'
import { knownUser } from '../users/rules/index.ts'
import * as contract from './contract.ts'

type RegisterInput = Input<typeof contract.registerQueue>

type FetchInput = Input<typeof contract.getEvents>

type RegisterResponse = Output<typeof contract.registerQueue>

type ResponseFields = Readonly<Record<string, unknown>>

export async function registerQueue(
  { log, actor, ...call }: OpenCall,
  input: RegisterInput,
): Promise<RegisterResponse | ComposedResponse> {
  if (log === undefined) throw new ApiError('NONEXISTENT_SUBDOMAIN', 'Subdomain does not exist')
  if (actor === undefined) return spectatorFields(log.organization, call.server, input)
  const { fields, shared } = await registerSignedInUser({ ...call, log, actor }, input)
  return new ComposedResponse(fields, shared)
}

/** Spectators get no queue, because no events are public. */
function spectatorFields(organization: OrganizationState, server: ServerFacts, input: RegisterInput): RegisterResponse {
  if (!hasPublicAccess(organization, server)) throw notLoggedInError()
  if (input.client_external_avatar === true) throw notForSpectatorsError('client_external_avatar')
  if (input.include_subscribers !== 'false') throw notForSpectatorsError('include_subscribers')
  const eventTypes = input.fetch_event_types ?? input.event_types ?? null
  const spectator = { organization, form: createClientForm(input, { clientExternalAvatar: false, isBrowser: true }) }
  const parts = server.snapshotParts.filter((part) => isPartRequested(part, eventTypes))
  return {
    queue_id: null,
    last_event_id: -1,
    ...SERVER_FIELDS,
    ...Object.fromEntries(parts.flatMap((part) => Object.entries(part.spectatorFields?.(spectator, server) ?? {}))),
  }
}

function notForSpectatorsError(parameter: string): ApiError {
  return new ApiError('BAD_REQUEST', `Invalid '${parameter}' parameter for anonymous request`)
}

/** The queue starts exactly at the snapshot's position. */
async function registerSignedInUser(
  call: Call,
  input: RegisterInput,
): Promise<{ queueId: string; fields: ResponseFields[]; shared: CachedFields[] }> {
  const { log, actor, server } = call
  requireReadableEvents(actor, input.event_types ?? null)
  const eventTypes = input.fetch_event_types ?? input.event_types ?? null
  requireReadableEvents(actor, eventTypes)
  const registration = createRegistration(call, input)
  const parts = server.snapshotParts.filter((part) => isPartRequested(part, eventTypes))
  const viewer: Viewer = { userId: actor.userId, organization: log.organization, form: registration.form }
  const context: SnapshotContext = {
    server,
    actor,
    now: Math.floor(Date.now() / 1000),
    eventTypes,
    presenceHistoryDays: input.presence_history_limit_days,
  }
  await Promise.all(parts.flatMap((part) => part.prepare?.(call.reads, viewer) ?? []))
  await fillSharedCaches(viewer, parts, server)
  const account = turnOwner(log.organization.id, actor.userId)
  await waitForTurn(account)
  const takeSnapshot = () =>
    log.snapshot(
      () =>
        timeStep(account, () => ({
          own: parts.flatMap(
            (part): readonly ResponseFields[] | ResponseFields => part.observe?.(viewer, context) ?? [],
          ),
          shared: parts.flatMap((part) => sharedFieldsFor(viewer, part, server)),
        })),
      async (db) => Promise.all(parts.flatMap((part) => part.read?.(db, viewer, context) ?? [])),
    )
  const lifespan = registration.form.capabilities.long_lifespan
    ? contract.LONG_LIFESPAN_SECONDS
    : input.queue_lifespan_secs
  const { queueId, taken } = await server.queues.register(log, actor, registration, lifespan, takeSnapshot)
  const { observed, read } = taken
  const begun = {
    queue_id: queueId,
    last_event_id: -1,
    ...SERVER_FIELDS,
    ...(registration.form.capabilities.log_position ? { log_position: taken.position } : {}),
  }
  return {
    queueId,
    fields: [begun, ...observed.own, ...read.flatMap((one) => (one instanceof ComposedResponse ? one.fields : one))],
    shared: [...observed.shared, ...read.flatMap((one) => (one instanceof ComposedResponse ? one.serialized : []))],
  }
}

/** Fills caches before the snapshot: filling them during the synchronous snapshot would block the event loop. */
async function fillSharedCaches(viewer: Viewer, parts: readonly SnapshotPart[], server: ServerFacts): Promise<void> {
  const pause = createYielder(turnOwner(viewer.organization.id, viewer.userId))
  for (const part of parts) {
    const shared = part.share?.(viewer, server)
    if (shared?.key === undefined) continue
    await pause()
    cacheSharedFields(viewer, part, shared)
  }
}

function sharedFieldsFor(viewer: Viewer, part: SnapshotPart, server: ServerFacts): CachedFields[] {
  return part.share === undefined ? [] : [cacheSharedFields(viewer, part, part.share(viewer, server))]
}

function cacheSharedFields(
  { organization, form }: Viewer,
  part: SnapshotPart,
  { key, make }: SharedFields,
): CachedFields {
  if (!form.capabilities.packed_lists) return cachedFields(organization, part, { key }, make)
  return cachedFields(organization, part, { key: key === undefined ? undefined : `packed ${key}` }, (projections) => {
    const fields = make(projections)
    return isJsonPieces(fields) ? fields : packLists(fields)
  })
}

const SERVER_FIELDS = { service_feature_level: FEATURE_LEVEL, service_version: API_VERSION, service_merge_base: '' }

/** Waits for events unless the request forbids waiting. A streamed response continues with later events. */
export function getEvents(call: Call, input: FetchInput): Promise<AnsweredMark> | AnsweredMark {
  return input.queue_id === undefined
    ? registerSignedInUser(call, { ...input, fetch_event_types: [] }).then(({ queueId }) =>
        pollQueue(call, input, queueId),
      )
    : pollQueue(call, input, input.queue_id)
}

function pollQueue(call: Call, input: FetchInput, queueId: string): Promise<AnsweredMark> | AnsweredMark {
  const { log, actor, server } = call
  const waits = !input.dont_block && call.method !== 'HEAD'
  const request = {
    queueId,
    lastEventId: input.last_event_id,
    block: waits,
    owner: actor,
    output: call.stream,
  }
  const waiting = server.queues.poll(log, request, call.poll)
  return waiting instanceof Promise ? waiting.then(() => ANSWERED_MARK) : ANSWERED_MARK
}

export async function deleteQueue(
  call: Call,
  input: Input<typeof contract.deleteQueue>,
): Promise<Record<string, never>> {
  await call.server.queues.remove(call.log, call.actor, input.queue_id)
  return {}
}

function createRegistration({ log, actor }: Call, input: RegisterInput): Registration {
  const { default_all_public_streams: allPublic, default_events_register_stream: channel } = knownUser(
    log.organization,
    actor.userId,
  ).botHabits
  return {
    form: createClientForm(input, {
      clientExternalAvatar: input.client_external_avatar ?? true,
      isBrowser: actor.sessionId !== undefined,
    }),
    eventTypes: input.event_types ?? null,
    narrow:
      input.narrow.length > 0 || channel === null
        ? resolveQueueNarrow({ organization: log.organization, member: actor }, input.narrow)
        : channelNarrow(channel),
    allPublicStreams: input.all_public_streams ?? allPublic,
  }
}

function createClientForm(
  input: RegisterInput,
  whose: Pick<ClientForm, 'clientExternalAvatar' | 'isBrowser'>,
): ClientForm {
  return {
    ...whose,
    applyMarkdown: input.apply_markdown,
    includeSubscribers: input.include_subscribers,
    slimPresence: input.slim_presence,
    capabilities: input.client_capabilities,
  }
}

function isPartRequested(part: SnapshotPart, eventTypes: readonly string[] | null): boolean {
  return eventTypes === null || part.eventTypes.every((type) => eventTypes.includes(type))
}
