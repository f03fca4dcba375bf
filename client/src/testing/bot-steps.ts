import type { Answer, TestUser } from '../../../server/src/testing/user.ts'
import type { Scene } from './own-steps.ts'

const CHANNELS = ['', 'Alpha', 'beta']
const ROLES = [100, 200, 400, 600]

/** Steps of generated histories that concern bots. */
export const BOT_STEPS = {
  'make bot': async ({ actor, what, more }) =>
    actor.try('POST', '/bots', {
      full_name: `Bot ${what % 7}`,
      short_name: `bot${more % 7}`,
      bot_type: 1 + (more % 2),
      default_sending_stream: CHANNELS[what % CHANNELS.length],
    }),
  'change bot': async ({ actor, other, what, more }) =>
    actor.try('PATCH', `/bots/${await someBot(actor, what)}`, {
      ...(more % 2 === 0 ? { bot_owner_id: other.id } : {}),
      ...(more % 3 === 0 ? { role: ROLES[what % ROLES.length] } : {}),
      ...(more % 5 === 0 ? { full_name: `Bot ${more % 7}`, default_all_public_streams: more % 10 === 0 } : {}),
      ...(more % 7 === 0 ? { default_events_register_stream: CHANNELS[what % CHANNELS.length] } : {}),
    }),
  'move bot': async ({ actor, what, more }) =>
    actor.try('PATCH', `/users/${await someBot(actor, what)}`, { new_email: `moved${more % 7}@example.com` }),
  'renew bot key': async ({ actor, what }) =>
    actor.try('POST', `/bots/${await someBot(actor, what)}/api_key/regenerate`),
  'end bot': async ({ actor, what }) => actor.try('DELETE', `/bots/${await someBot(actor, what)}`),
  'resume bot': async ({ actor, what }) => actor.try('POST', `/users/${await someBot(actor, what)}/reactivate`),
} satisfies Readonly<Record<string, (scene: Scene) => Promise<Answer>>>

/** The id of a bot that the actor manages, or of nothing. */
async function someBot(actor: TestUser, which: number): Promise<number> {
  const { body } = await actor.try('POST', '/register', { fetch_event_types: ['realm_bot'], event_types: [] })
  const bots = (body['realm_bots'] ?? []) as { user_id: number }[] // as declared
  return bots[which % bots.length]?.user_id ?? 999_999
}
