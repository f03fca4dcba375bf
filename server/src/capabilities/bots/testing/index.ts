import { randomUUID } from 'node:crypto'
import { API_WORD, type CapabilitySamples, NEW_NAME, OWN_WORDS, SETTING } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps, Scene } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly bot_id: number
    readonly stored_key: string
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const { user_id } = await owner.call('POST', '/bots', { full_name: 'Sample Bot', short_name: 'sample' })
    await owner.call('PUT', '/bot_storage', { storage: { sample: 'Kept' } })
    return { bot_id: user_id, stored_key: 'sample' }
  },
  inputs: {
    createBot: () => ({ full_name: randomUUID(), short_name: randomUUID() }),
    updateBot: () => ({ default_all_public_streams: true }),
  },
  names: {
    bot_id: 'user',
    bot_owner_id: 'user',
    keys: 'stored',
    default_sending_stream: 'channel',
    default_events_register_stream: 'channel',
  },
  namesNothing: {
    bot_type: API_WORD,
    short_name: NEW_NAME,
    storage: OWN_WORDS,
    payload_url: SETTING,
    interface_type: API_WORD,
    service_payload_url: SETTING,
    service_interface: API_WORD,
  },
  hidden: { stored: { sample: 'stored_key', of: 'the owner', absent: () => 'simple' } },
}

const UNREACHABLE_URL = 'http://nowhere.invalid/'
const DEFAULT_CHANNEL_NAMES = ['', 'Alpha', 'beta']
const ROLES = [100, 200, 400, 600]

export const steps: CapabilitySteps = {
  steps: {
    'make bot': async ({ actor, what, more }) =>
      actor.try('POST', '/bots', {
        full_name: `Bot ${what % 7}`,
        short_name: `bot${more % 7}`,
        bot_type: 1 + (more % 3),
        ...(more % 3 === 2 ? { payload_url: UNREACHABLE_URL } : {}),
        default_sending_stream: DEFAULT_CHANNEL_NAMES[what % DEFAULT_CHANNEL_NAMES.length],
      }),
    'change bot': async ({ scene, actor, other, what, more }) =>
      actor.try('PATCH', `/bots/${await someBot(scene, actor, what)}`, {
        ...(what % 2 === 0 ? { bot_owner_id: other.id } : {}),
        ...(more % 3 === 0 ? { role: ROLES[what % ROLES.length] } : {}),
        ...(more % 5 === 0 ? { full_name: `Bot ${more % 7}`, default_all_public_streams: more % 10 === 0 } : {}),
        ...(more % 11 === 0 ? { service_payload_url: `${UNREACHABLE_URL}${what % 3}` } : {}),
        ...(more % 7 === 0
          ? { default_events_register_stream: DEFAULT_CHANNEL_NAMES[what % DEFAULT_CHANNEL_NAMES.length] }
          : {}),
      }),
    'move bot': async ({ scene, actor, what, more }) =>
      actor.try('PATCH', `/users/${await someBot(scene, actor, what)}`, { new_email: `moved${more % 7}@example.com` }),
    'renew bot key': async ({ scene, actor, what }) =>
      actor.try('POST', `/bots/${await someBot(scene, actor, what)}/api_key/regenerate`),
    'renew bot token': async ({ scene, actor, what }) =>
      actor.try('POST', `/bots/${await someBot(scene, actor, what)}/service/regenerate_token`),
    'end bot': async ({ scene, actor, what }) => actor.try('DELETE', `/bots/${await someBot(scene, actor, what)}`),
    'resume bot': async ({ scene, actor, what }) =>
      actor.try('POST', `/users/${await someBot(scene, actor, what)}/reactivate`),
  },
}

/**
 * Returns the ID of a managed bot or an unknown ID, but never the observing bot, whose new defaults would change its
 * own events.
 */
async function someBot(scene: Scene, actor: TestUser, which: number): Promise<number> {
  const { body } = await actor.try('POST', '/register', { fetch_event_types: ['realm_bot'], event_types: [] })
  const bots = body['realm_bots'] ?? []
  const others = bots.filter((bot) => bot.user_id !== scene.bot.id)
  return others[which % others.length]?.user_id ?? 999_999
}
