import type { Output } from '../../kernel/endpoint.ts'
import { changesOf, type OrganizationState, type Projection, type RecordedChange } from '../../kernel/projection.ts'
import type { Reader } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'

export interface TokenState {
  readonly userId: number
  readonly digest: string
  readonly isReadOnly: boolean
  readonly channelIds: readonly number[] | null
  readonly expiresAt: number | null
}

type TokenChange =
  { readonly made: number; readonly token: TokenState } | { readonly ended: readonly number[]; readonly userId: number }

export const apiTokensProjection: Projection<Map<number, TokenState>, TokenChange> = {
  name: 'api_tokens',
  takesRights: (_, change) => 'ended' in change,
  empty: () => new Map(),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('api_tokens')
      .select(['id', 'user_id', 'digest', 'is_read_only', 'channel_ids', 'expires_at'])
      .where('organization_id', '=', organizationId)
      .execute()
    for (const { id, user_id: userId, digest, is_read_only: isReadOnly, channel_ids, expires_at } of rows) {
      const token = { userId, digest: digest.toString('hex'), isReadOnly, channelIds: channel_ids }
      state.set(id, { ...token, expiresAt: expires_at })
    }
  },
  apply(state, change) {
    if ('made' in change) state.set(change.made, change.token)
    else for (const id of change.ended) state.delete(id)
  },
}

export function tokensEndedBy(
  changes: readonly RecordedChange[],
): readonly { readonly userId: number; readonly ended: readonly number[] }[] {
  return changesOf(apiTokensProjection, changes).filter((change) => 'ended' in change)
}

export function findValidToken(organization: OrganizationState, id: number): TokenState | undefined {
  const token = organization.of(apiTokensProjection).get(id)
  return token === undefined || (token.expiresAt ?? Infinity) <= Date.now() / 1000 ? undefined : token
}

export function isValidToken(organization: OrganizationState, id: number): boolean {
  return findValidToken(organization, id) !== undefined
}

const OWN_TOKENS = `
  select id, name, is_read_only, channel_ids, created_at, expires_at, used_at as last_used_at from api_tokens
  where organization_id = $1 and user_id = $2 order by id desc`

type ApiTokenView = Output<typeof contract.getApiTokens>['api_tokens'][number]

export async function getApiTokens({
  db,
  organizationId,
  actor,
}: Reader): Promise<Output<typeof contract.getApiTokens>> {
  return { api_tokens: await db.rows<ApiTokenView>('own_api_tokens', OWN_TOKENS, [organizationId, actor.userId]) }
}

const RECORD_USE_EVERY_SECONDS = 3_600

interface TokenUses {
  readonly notedAt: Map<number, number>
  readonly unwritten: Map<number, number>
}

const tokenUsesByOrganization = new WeakMap<OrganizationState, TokenUses>()

export function tokenUsesOf(organization: OrganizationState): TokenUses {
  let uses = tokenUsesByOrganization.get(organization)
  if (uses === undefined) {
    uses = { notedAt: new Map(), unwritten: new Map() }
    tokenUsesByOrganization.set(organization, uses)
  }
  return uses
}

/** Records a token's use in memory, at most once an hour; `writeTokenUses` stores it. */
export function recordTokenUse(organization: OrganizationState, id: number): void {
  const { notedAt, unwritten } = tokenUsesOf(organization)
  const now = Math.floor(Date.now() / 1000)
  if (now - (notedAt.get(id) ?? 0) < RECORD_USE_EVERY_SECONDS) return
  notedAt.set(id, now)
  unwritten.set(id, now)
}
