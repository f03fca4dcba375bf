import type { Db } from '../../kernel/transaction.ts'

export interface ChannelAddress {
  readonly channelId: number
  readonly creatorId: number
  readonly senderId: number
}

const ADDRESS_BY_DIGEST = `
  select channel_id as "channelId", creator_id as "creatorId", sender_id as "senderId" from channel_addresses
  where organization_id = $1 and digest = $2`

export async function channelAddressByDigest(
  db: Db,
  organizationId: number,
  digest: Buffer,
): Promise<ChannelAddress | undefined> {
  const [row] = await db.rows<ChannelAddress>('channel_address', ADDRESS_BY_DIGEST, [organizationId, digest])
  return row
}

const ADDRESS_SEED = `
  select seed from channel_addresses
  where organization_id = $1 and creator_id = $2 and channel_id = $3 and sender_id = $4`

export async function seedOfAddress(
  db: Db,
  organizationId: number,
  { creatorId, channelId, senderId }: ChannelAddress,
): Promise<Buffer | undefined> {
  const [row] = await db.rows<{ seed: Buffer }>('channel_address_seed', ADDRESS_SEED, [
    organizationId,
    creatorId,
    channelId,
    senderId,
  ])
  return row?.seed
}
