import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '../../kernel/actor.ts'
import type { World } from '../../kernel/fold.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { BOT_TYPE } from '../users/contract/index.ts'
import { userByEmail, userById } from '../users/queries.ts'
import { apiKeysFold, digestOf } from './queries.ts'

const NO_DIGEST = Buffer.from(digestOf(''), 'hex')
/** Of the key that is looked at, one after the other: making a buffer for each takes longer than comparing. */
const presented = Buffer.alloc(NO_DIGEST.length)

/**
 * Who an API email and key stand for. Unknown name and wrong key are refused alike and in the same time; only the
 * right key learns that its user is deactivated.
 * @param endpoint that is called; absent for what is no endpoint, which is not for write-only bots either
 */
export function actorOf(
  world: World,
  username: string,
  apiKey: string,
  client: string,
  endpoint?: Pick<Endpoint, 'forWriteOnlyBots'>,
): Actor {
  const user = userByEmail(world, username)
  const digest = user === undefined ? undefined : world.of(apiKeysFold).get(user.id)
  presented.write(digestOf(apiKey), 'hex')
  const matches = timingSafeEqual(digest ?? NO_DIGEST, presented)
  if (user === undefined || digest === undefined || !matches) throw new Refusal('INVALID_API_KEY', 'Invalid API key')
  if (!user.isActive) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
  if (user.botType === BOT_TYPE.incomingWebhook && endpoint?.forWriteOnlyBots !== true) {
    throw new Refusal('BAD_REQUEST', 'This API is not available to incoming webhook bots.')
  }
  return { userId: user.id, role: user.role, client }
}

/** The actor with the role it has now; actions wait for their turn, and roles change meanwhile. */
export function renewed(world: World, actor: Actor): Actor {
  const user = userById(world, actor.userId)
  if (user?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
  return user.role === actor.role ? actor : { ...actor, role: user.role }
}
