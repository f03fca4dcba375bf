import type { Actor } from '../../../kernel/actor.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Db, Tx } from '../../../kernel/transaction.ts'
import { readerOf, type Call, type PreparationCall } from '../../../platform/request.ts'
import type { NewToken } from '../../../platform/tokens/tokens.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { addAuditEntry } from '../../audit-log/actions.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { requireAdministeredChannel, canSeeChannel, maySendToChannel } from '../../channels/rules/index.ts'
import { notificationBot, userById } from '../../users/queries/index.ts'
import { CHANNEL_ADDRESS_LIMIT, NO_INCOMING_MAIL_MESSAGE } from '../contract.ts'
import type * as contract from '../contract.ts'
import { seedOfAddress, type ChannelAddress } from '../queries.ts'
import { channelEmailAddress, addressSecretDigest, encodeAddressSecret } from '../rules/index.ts'

/** An action rather than a query, because the first call creates the address. */
export async function getChannelEmailAddress(
  call: Call,
  input: Input<typeof contract.getChannelEmailAddress>,
): Promise<Output<typeof contract.getChannelEmailAddress>> {
  const { log, actor, server, reads } = call
  const { name } = requireChannel(log.organization, actor, input.stream_id)
  const { wanted, domain } = await validateAddressRequest(call, input)
  const known = await seedOfAddress(reads, log.organization.id, wanted)
  const made = known === undefined ? await server.tokens.make() : undefined
  const seed = made === undefined ? known : await log.act(actor, async (tx) => addAddress(tx, wanted, made))
  if (seed === undefined) throw new Error('the address was neither found nor created')
  return { email: formatAddress(log.organization.id, name, await server.tokens.of(seed), domain) }
}

interface PreparedAddress extends AddressRequest {
  readonly made: NewToken
}

export async function prepareAddress(
  call: PreparationCall,
  input: Input<typeof contract.renewChannelEmailAddress>,
): Promise<PreparedAddress> {
  requireChannelToRenew(call.log.organization, call.actor, input.stream_id)
  return { ...(await validateAddressRequest(call, input)), made: await call.server.tokens.make() }
}

/** Revokes every user's address for the channel, because any of the addresses may have leaked. */
export async function renewChannelEmailAddress(
  tx: ActorTx,
  _input: Input<typeof contract.renewChannelEmailAddress>,
  { wanted, domain, made }: PreparedAddress,
): Promise<Output<typeof contract.renewChannelEmailAddress>> {
  const { id, name } = requireChannelToRenew(tx.organization, tx.actor, wanted.channelId)
  await tx.db
    .deleteFrom('channel_addresses')
    .where('organization_id', '=', tx.organizationId)
    .where('channel_id', '=', id)
    .execute()
  await addAddress(tx, wanted, made)
  await addAuditEntry(tx, {
    kind: 'channels',
    action: 'changed',
    target: { type: 'channel', id, name },
    // Omits the address, which is a secret.
    changes: [{ property: 'email_address' }],
  })
  return { email: formatAddress(tx.organizationId, name, made.token, domain) }
}

export async function deleteChannelAddressesOf(tx: Tx, userIds: readonly number[]): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('channel_addresses')
    .where('organization_id', '=', tx.organizationId)
    .where('creator_id', 'in', userIds)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

interface AddressRequest {
  readonly wanted: ChannelAddress
  readonly domain: string
}

/** @throws ApiError BAD_REQUEST, CONFIRMATION_REQUIRED */
async function validateAddressRequest(
  call: PreparationCall,
  input: Input<typeof contract.getChannelEmailAddress>,
): Promise<AddressRequest> {
  const { log, actor, server } = call
  const senderId = requireSender(log.organization, actor.userId, input.sender_id)
  const { incomingMailDomain: domain } = server
  if (domain === undefined) throw new ApiError('BAD_REQUEST', NO_INCOMING_MAIL_MESSAGE)
  await requireRecentConfirmation(readerOf(call))
  return { wanted: { channelId: input.stream_id, creatorId: actor.userId, senderId }, domain }
}

function formatAddress(organizationId: number, channelName: string, token: string, domain: string): string {
  return channelEmailAddress({ organizationId, channelName, secret: encodeAddressSecret(token) }, domain)
}

function requireChannelToRenew(organization: OrganizationState, actor: Actor, channelId: number): Channel {
  requireChannel(organization, actor, channelId)
  return requireAdministeredChannel(organization, actor, channelId)
}

/** Hidden channels get the same error as missing channels. @throws ApiError BAD_REQUEST */
function requireChannel(organization: OrganizationState, actor: Actor, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || channel.isArchived || !canSeeChannel(organization, actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  if (!maySendToChannel(organization, actor, channel)) {
    throw new ApiError('BAD_REQUEST', `Not authorized to send to channel '${channel.name}'`)
  }
  return channel
}

/** @throws ApiError BAD_REQUEST unless the account is the actor, one of its bots, or the notification bot */
function requireSender(organization: OrganizationState, actorId: number, given: number | undefined): number {
  const bot = notificationBot(organization)
  if (given === undefined || given === bot.id) return bot.id
  const sender = userById(organization, given)
  const isOwn = sender?.id === actorId || (sender?.botOwnerId === actorId && sender.isActive)
  if (!isOwn) throw new ApiError('BAD_REQUEST', 'Invalid sender')
  return given
}

async function addAddress(
  tx: ActorTx,
  wanted: ChannelAddress,
  { token, seed }: { readonly token: string; readonly seed: Buffer },
): Promise<Buffer> {
  requireChannel(tx.organization, tx.actor, wanted.channelId)
  const known = await seedOfAddress(tx.db, tx.organizationId, wanted)
  if (known !== undefined) return known
  if ((await countAddressesOfCreator(tx.db, tx.organizationId, wanted.creatorId)) >= CHANNEL_ADDRESS_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${CHANNEL_ADDRESS_LIMIT.most} channel email addresses.`)
  }
  await tx.db
    .insertInto('channel_addresses')
    .values({
      organization_id: tx.organizationId,
      channel_id: wanted.channelId,
      creator_id: wanted.creatorId,
      sender_id: wanted.senderId,
      seed,
      digest: addressSecretDigest(encodeAddressSecret(token)),
    })
    .execute()
  return seed
}

async function countAddressesOfCreator(db: Db, organizationId: number, creatorId: number): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    'count_channel_addresses',
    'select count(*)::int as count from channel_addresses where organization_id = $1 and creator_id = $2',
    [organizationId, creatorId],
  )
  return row?.count ?? 0
}
