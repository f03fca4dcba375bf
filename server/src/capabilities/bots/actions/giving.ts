import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { mentionOf, notice, postMessages } from '../../messages/actions/post.ts'
import { fenceText } from '../../messages/actions/quoting.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { servicesOf } from '../queries/payload-urls.ts'

/** Warns the new owner of an outgoing webhook bot that the bot forwards messages to a URL in the owner's name. */
export async function tellNewOwner(tx: ActorTx, server: ServerFacts, bot: UserRow): Promise<void> {
  const service = (await servicesOf(tx.db, tx.organizationId, [bot.id])).get(bot.id)
  if (service === undefined || bot.botOwnerId === null || bot.botOwnerId === tx.actor.userId) return
  const text =
    `${mentionOf(tx.organization, tx.actor.userId)} gave you the bot ${mentionOf(tx.organization, bot.id)}. ` +
    'It has a new API key and a new webhook secret, so its previous owner can no longer use it. ' +
    `Messages to it are sent to this URL; change it if it isn’t yours:\n\n${fenceText(service.base_url)}`
  await postMessages(tx, [await notice(tx, server, { userId: bot.botOwnerId }, text)])
}
