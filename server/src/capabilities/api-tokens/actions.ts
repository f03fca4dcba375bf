import { randomBytes } from 'node:crypto'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import { deleteQueuesOfLogins } from '../../platform/queues/store.ts'
import type { PreparationCall } from '../../platform/request.ts'
import { emitCredentials } from '../authentication/actions/emit.ts'
import { requirePasswordIfAny } from '../authentication/actions/owner.ts'
import { knownChannel } from '../channels/rules/index.ts'
import { secretDigest } from '../sessions/queries.ts'
import { knownUser } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { API_TOKEN_LIMIT } from './contract.ts'
import { apiTokensProjection } from './queries.ts'
import { formatToken } from './rules.ts'

const TOKEN_SECRET_BYTES = 32

export async function requireTokenOwner(
  call: PreparationCall,
  input: Input<typeof contract.createApiToken>,
): Promise<void> {
  if (knownUser(call.log.organization, call.actor.userId).botType !== null) {
    throw new ApiError('BAD_REQUEST', 'Bots cannot have API tokens. Use their API key.')
  }
  // A stolen session must not create a lasting token.
  await requirePasswordIfAny(call, input.password)
}

export async function createApiToken(
  tx: ActorTx,
  input: Input<typeof contract.createApiToken>,
): Promise<Output<typeof contract.createApiToken>> {
  const secret = randomBytes(TOKEN_SECRET_BYTES).toString('base64url')
  const id = await addToken(tx, input, secretDigest(secret))
  return { api_token_id: id, api_token: formatToken(id, secret) }
}

async function addToken(
  tx: ActorTx,
  {
    name: given,
    is_read_only: isReadOnly,
    channel_ids: channels,
    expires_at: end,
  }: Input<typeof contract.createApiToken>,
  digest: Buffer,
): Promise<number> {
  const name = given.trim()
  if (name === '') throw new ApiError('BAD_REQUEST', 'A token must have a name.')
  if (end !== undefined && end <= tx.now)
    throw new ApiError('BAD_REQUEST', 'The expiration of a token must be in the future.')
  const channelIds = channels === undefined ? null : [...new Set(channels)]
  for (const channelId of channelIds ?? []) knownChannel(tx.organization, tx.actor, channelId)
  const { userId } = tx.actor
  const mine = await tx.db
    .selectFrom('api_tokens')
    .select('id')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
  if (mine.length >= API_TOKEN_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${API_TOKEN_LIMIT.most} API tokens.`)
  }
  emitCredentials(tx, userId, 'api_token', null, name)
  const id = tx.nextId()
  const expiresAt = end ?? null
  await tx.db
    .insertInto('api_tokens')
    .values({
      organization_id: tx.organizationId,
      id,
      user_id: userId,
      digest,
      name,
      is_read_only: isReadOnly,
      channel_ids: channelIds,
      created_at: tx.now,
      expires_at: expiresAt,
      used_at: null,
    })
    .execute()
  const token = { userId, digest: digest.toString('hex'), isReadOnly, channelIds, expiresAt }
  tx.change(apiTokensProjection, { made: id, token })
  return id
}

export async function revokeApiToken(
  tx: ActorTx,
  { api_token_id: id }: Input<typeof contract.revokeApiToken>,
): Promise<Record<string, never>> {
  const { userId } = tx.actor
  const gone = await tx.db
    .deleteFrom('api_tokens')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['id', 'name'])
    .execute()
  if (gone.length === 0) throw new ApiError('BAD_REQUEST', 'Invalid API token ID')
  await recordEndedTokens(tx, userId, gone)
  return {}
}

export async function deleteApiTokensOf(tx: Tx, userId: number): Promise<number> {
  const gone = await tx.db
    .deleteFrom('api_tokens')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .returning(['id', 'name'])
    .execute()
  await recordEndedTokens(tx, userId, gone)
  return gone.length
}

async function recordEndedTokens(
  tx: Tx,
  userId: number,
  gone: readonly { readonly id: number; readonly name: string }[],
): Promise<void> {
  if (gone.length === 0) return
  const ended = gone.map(({ id }) => id)
  for (const { name } of gone) emitCredentials(tx, userId, 'api_token', name, null)
  await deleteQueuesOfLogins(tx, userId, ended)
  tx.change(apiTokensProjection, { userId, ended })
}
