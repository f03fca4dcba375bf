import type { Output } from '../../../kernel/endpoint.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { endApiTokensOf } from '../../api-tokens/actions/ending.ts'
import { renewApiKey, replaceApiKey } from '../../authentication/actions/index.ts'
import { endChannelAddressesOf } from '../../incoming-mail/actions/addresses.ts'
import { endIdentities } from '../../openid-connect/actions/identities.ts'
import { endPasskeysOf } from '../../passkeys/actions/ending.ts'
import { endSessionsOf, forgetDevices } from '../../sessions/actions/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { botsOf } from '../../users/rules/bots.ts'
import { endPushSubscriptionsBy } from '../../web-push/actions/subscriptions.ts'
import type * as contract from '../contract.ts'

export type RevokedAccess = Output<typeof contract.resetPassword>['revoked']

/**
 * Revokes all access to an account whose owner lost control of it, because access that an intruder added looks like the
 * owner's own. The caller sets the password. The second factor stays: it protects the account from anyone who reads its
 * email.
 */
export async function revokeAccess(tx: Tx, user: UserRow): Promise<RevokedAccess> {
  const sessions = await endSessionsOf(tx, user.id)
  await forgetDevices(tx, user.id)
  const pushSubscriptions = await endPushSubscriptionsBy(tx, user.id, 'all')
  await replaceApiKey(tx, user, true)
  const bots = botsOf(tx.organization, user.id).filter(({ isActive }) => isActive)
  for (const bot of bots) await renewApiKey(tx, bot, true)
  return {
    sessions,
    passkeys: await endPasskeysOf(tx, user.id),
    api_tokens: await endApiTokensOf(tx, user.id),
    identities: await endIdentities(tx, user.id),
    channel_addresses: await endChannelAddressesOf(tx, user.id),
    push_subscriptions: pushSubscriptions,
    bot_keys: bots.length,
  }
}
