import { describe, expect, it } from 'vitest'
import { expectFull } from '../../testing/full.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { createPeople, makeBot, refusal } from '../bots/testing/bots.ts'
import {
  createFixtureOn,
  makeOutgoingBot,
  POLL_OPTIONS,
  requestBody,
  respondWith,
  waitForDeliveries,
  type Fixture,
} from '../outgoing-webhooks/testing/scene.ts'
import { BUILT_IN_COMMANDS, COMMAND_LIMIT, ORGANIZATION_COMMAND_LIMIT } from './contract.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const PAYLOAD_URL = 'https://hooks.example.org/parley'
const WITH_COMMANDS = { client_capabilities: { bot_commands: true }, event_types: ['bot_commands'] }

const DEPLOY = { name: 'deploy', description: 'Deploy a service', argument_hint: '[service] [version]' }
const STATUS = { name: 'build-status_2', description: 'Show the status', argument_hint: '' }

const listed = async (user: TestUser): Promise<unknown> => (await user.call('GET', '/bot_commands'))['commands']

const declare = async (user: TestUser, bot: TestUser, commands: readonly Body[]): Promise<unknown[]> =>
  refusal(await user.try('PUT', `/bots/${bot.id}/commands`, { commands }))

const BOT_IDS = [1_000_001, 1_000_002] as const

const SAVED = [200, undefined, '']
const refused = (msg: string): unknown[] => [400, 'BAD_REQUEST', msg]

describe('commands of bots', () => {
  it('lets a bot, its owner, and administrators declare commands for the bot, and shows them to everyone', async () => {
    const organization = await server().organization()
    const people = await createPeople(organization)
    const guest = await organization.user('Gus', { role: 600 })
    const { owner, ada, mia, bob } = people
    const { bot } = await makeOutgoingBot(mia, PAYLOAD_URL)
    const look = await watch({ ...people, guest, bot }, WITH_COMMANDS)
    expect(await declare(mia, bot, [DEPLOY, { name: STATUS.name, description: ' Show the status ' }])).toEqual(SAVED)
    expect(await declare(bot, bot, [STATUS, DEPLOY])).toEqual(SAVED)
    const set = { type: 'bot_commands', op: 'update', bot_id: bot.id, commands: [STATUS, DEPLOY] }
    const seen = await look()
    for (const events of Object.values(seen)) expect(events).toMatchObject([set])
    const all = [STATUS, DEPLOY].map((command) => ({ bot_id: bot.id, ...command }))
    for (const user of [owner, mia, bob, guest, bot]) expect(await listed(user)).toEqual(all)
    const { commands } = await ada.call('GET', `/bots/${bot.id}/commands`)
    expect(commands).toEqual([STATUS, DEPLOY])
    expect(await declare(ada, bot, [DEPLOY])).toEqual(SAVED)
    expect(await declare(owner, bot, [])).toEqual(SAVED)
    expect(await declare(bot, bot, [DEPLOY])).toEqual(SAVED)
    const other = await makeOutgoingBot(mia, PAYLOAD_URL, {}, 'other')
    for (const user of [bob, guest, other.bot]) {
      expect(await declare(user, bot, [])).toEqual(refused('Insufficient permission'))
      const read = await user.try('GET', `/bots/${bot.id}/commands`)
      expect(refusal(read)).toEqual(refused('Insufficient permission'))
    }
    for (const absent of [999_999, bob.id]) {
      const answer = await owner.try('PUT', `/bots/${absent}/commands`, { commands: [] })
      expect(refusal(answer)).toEqual(refused('No such bot'))
    }
    const generic = await makeBot(mia)
    expect(await declare(mia, generic, [])).toEqual(refused('Only outgoing webhook bots can have commands.'))
    expect(await listed(bob)).toEqual([{ bot_id: bot.id, ...DEPLOY }])
  })

  it('includes commands in register responses and events only for clients that request them', async () => {
    const { owner } = await server().organization()
    const { bot } = await makeOutgoingBot(owner, PAYLOAD_URL)
    await declare(owner, bot, [DEPLOY])
    const [older, newer] = [
      await owner.register(),
      await owner.register({ client_capabilities: { bot_commands: true } }),
    ]
    expect(older.state).not.toHaveProperty('bot_commands')
    expect(newer.state['bot_commands']).toEqual([{ bot_id: bot.id, ...DEPLOY }])
    await declare(owner, bot, [])
    expect(await newer.events()).toMatchObject([{ type: 'bot_commands', op: 'update', bot_id: bot.id, commands: [] }])
    expect(await older.events()).toEqual([])
  })

  it('hides the commands of deactivated and paused bots', async () => {
    const { owner, mia, bob } = await createPeople(await server().organization())
    const { bot } = await makeOutgoingBot(mia, PAYLOAD_URL)
    await declare(mia, bot, [DEPLOY])
    const look = await watch({ bob }, WITH_COMMANDS)
    const removed = { type: 'bot_commands', op: 'remove', bot_id: bot.id }
    const back = { type: 'bot_commands', op: 'update', bot_id: bot.id, commands: [DEPLOY] }
    await mia.call('DELETE', `/bots/${bot.id}`)
    expect(await look()).toMatchObject({ bob: [removed] })
    expect(await listed(bob)).toEqual([])
    await owner.call('POST', `/users/${bot.id}/reactivate`)
    expect(await look()).toMatchObject({ bob: [back] })
    // A bot whose owner is deactivated is paused when it is reactivated.
    await owner.call('DELETE', `/users/${mia.id}`)
    await owner.call('POST', `/users/${bot.id}/reactivate`)
    expect((await look())['bob']).not.toContainEqual(expect.objectContaining({ op: 'update' }))
    expect(await declare(owner, bot, [STATUS, DEPLOY])).toEqual(SAVED)
    expect(await look()).toEqual({ bob: [] })
    expect(await listed(bob)).toEqual([])
    expect((await bob.register(WITH_COMMANDS)).state['bot_commands']).toEqual([])
    await owner.call('PATCH', `/bots/${bot.id}`, { service_payload_url: PAYLOAD_URL })
    expect(await look()).toMatchObject({ bob: [{ ...back, commands: [STATUS, DEPLOY] }] })
    expect(await listed(bob)).toHaveLength(2)
  })

  it('refuses commands with an invalid, repeated, built-in, or taken name, or without a description', async () => {
    const { owner } = await server().organization()
    const { bot } = await makeOutgoingBot(owner, PAYLOAD_URL)
    const { bot: other } = await makeOutgoingBot(owner, PAYLOAD_URL, {}, 'other')
    await declare(owner, bot, [DEPLOY])
    const look = await watch({ owner }, WITH_COMMANDS)
    const named = (name: string): Body => ({ name, description: 'Something' })
    for (const name of ['', 'Deploy', 'de ploy', '/deploy', 'é', 'a\n', 'x'.repeat(33)]) {
      expect(await declare(owner, other, [named(name)])).toEqual(
        refused(
          'Command names must contain only lowercase English letters, digits, dashes and underscores, ' +
            'and have 1 to 32 characters.',
        ),
      )
    }
    for (const name of BUILT_IN_COMMANDS) {
      expect(await declare(owner, other, [named(name)])).toEqual(refused(`The command /${name} is built in.`))
    }
    expect(await declare(owner, other, [named('b'), named('a'), named('b')])).toEqual(
      refused('The command /b is listed twice.'),
    )
    const taken = refused('Another bot already has the command /deploy.')
    expect(await declare(owner, other, [named('fine'), DEPLOY])).toEqual(taken)
    expect(await declare(owner, other, [{ name: 'a', description: ' \u200b' }])).toEqual(
      refused('The command /a has no description.'),
    )
    for (const more of [{ description: 'x'.repeat(101) }, { argument_hint: 'x'.repeat(101) }, { description: 1 }]) {
      expect((await declare(owner, other, [{ ...named('a'), ...more }]))[0]).toBe(400)
    }
    expect(await look()).toEqual({ owner: [] })
    expect(await declare(owner, other, [{ ...named('x'.repeat(32)), argument_hint: 'x'.repeat(100) }])).toEqual(SAVED)
    // A deactivated bot's name can be taken.
    await owner.call('DELETE', `/bots/${bot.id}`)
    expect(await declare(owner, other, [DEPLOY])).toEqual(SAVED)
    await owner.call('POST', `/users/${bot.id}/reactivate`)
    expect(await listed(owner)).toEqual([{ bot_id: other.id, ...DEPLOY }])
    expect((await owner.call('GET', `/bots/${bot.id}/commands`))['commands']).toEqual([])
    expect(await declare(owner, bot, [DEPLOY])).toEqual(taken)
  })

  it('limits the number of commands per bot and per organization', async () => {
    const { owner } = await server().organization()
    const { bot } = await makeOutgoingBot(owner, PAYLOAD_URL)
    const commands = (count: number): Body[] =>
      Array.from({ length: count }, (_, index) => ({ name: `c${index}`, description: 'Something' }))
    expect(await declare(owner, bot, commands(COMMAND_LIMIT.most + 1))).toEqual(
      refused('A bot can have at most 20 commands.'),
    )
    expect(await declare(owner, bot, commands(COMMAND_LIMIT.most))).toEqual(SAVED)
    await expectFull(ORGANIZATION_COMMAND_LIMIT, {
      fill: [
        `insert into users (organization_id, id, email, email_key, delivery_email, delivery_email_key, full_name, role,
           is_active, bot_type, bot_owner_id, is_system_bot, date_joined)
         select $1, n, 'b' || n, 'b' || n, 'b' || n, 'b' || n, 'Bot ' || n, 400, false, 3, $2, false, 0
         from unnest(array[${BOT_IDS.join()}]) n`,
        `insert into bot_commands (organization_id, name, bot_id, description, argument_hint)
         select $1, 'c' || n, ${BOT_IDS[0]}, 'x', '' from generate_series(1, $3) n`,
      ],
      make: async (user) => user.try('PUT', `/bots/${BOT_IDS[1]}/commands`, { commands: [DEPLOY] }),
      refusal: 'Bots can have at most 500 commands in total.',
    })
  })

  it('records changed commands in the audit log', async () => {
    const { owner, mia } = await createPeople(await server().organization())
    const { bot } = await makeOutgoingBot(mia, PAYLOAD_URL)
    await declare(mia, bot, [DEPLOY])
    await declare(mia, bot, [{ ...DEPLOY, description: 'Deploy it' }])
    await declare(bot, bot, [STATUS])
    await mia.call('DELETE', `/bots/${bot.id}`)
    await owner.call('POST', `/users/${bot.id}/reactivate`)
    const { entries } = await owner.call('GET', '/audit_log')
    const changes = entries.flatMap((entry) => entry.changes.map((change) => ({ by: entry.acting_user_id, ...change })))
    expect(changes.filter(({ property }) => property === 'commands').toReversed()).toEqual([
      { by: mia.id, property: 'commands', from: [], to: ['/deploy'] },
      { by: mia.id, property: 'commands' },
      { by: bot.id, property: 'commands', from: ['/deploy'], to: ['/build-status_2'] },
    ])
  })
})

describe('messages that start with a command', () => {
  const dataOf = ({ service }: Fixture): unknown[] => service.received.map((one) => requestBody(one)['data'])

  it('delivers a command to its bot once, in the form of a mention, and keeps the message visible to all', async () => {
    const fixture = await createFixtureOn(server(), respondWith({ content: 'Done' }))
    const { owner, ann, bot, service } = fixture
    await declare(owner, bot, [DEPLOY])
    const { bot: other } = await makeOutgoingBot(owner, `http://localhost:${service.port}/other`, {}, 'other')
    const queue = await owner.register({ event_types: ['message'] })
    const own = await bot.register({ event_types: ['message'], all_public_streams: true })
    const texts = ['/deploy web 1.2', '/deploy', '/deploy\n@**helper Bot** now']
    for (const text of texts) await ann.send('news', 'lunch', text)
    for (const text of ['/deployed', '/Deploy', ' /deploy', 'Use /deploy', '/build', '> /deploy']) {
      await ann.send('news', 'lunch', text)
    }
    await ann.sendTo([bot.id], '/deploy directly')
    await ann.sendTo([owner.id], '/deploy elsewhere')
    await ann.sendTo([other.id], '/deploy to another bot')
    await other.send('news', 'lunch', '/deploy by a bot')
    await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(5)
    await waitForDeliveries(fixture)
    const received = service.received.map((one) => [one.path, requestBody(one)['trigger'], requestBody(one)['data']])
    expect(received.filter(([, trigger]) => trigger === 'mention')).toEqual(
      texts.map((text) => ['/hook', 'mention', text]),
    )
    expect(received).toEqual(
      expect.arrayContaining([
        ['/hook', 'direct_message', '/deploy directly'],
        ['/other', 'direct_message', '/deploy to another bot'],
      ]),
    )
    const [first] = (await queue.events()).filter(({ type }) => type === 'message')
    expect(first).toMatchObject({ message: { sender_id: ann.id, content: '<p>/deploy web 1.2</p>' }, flags: [] })
    expect(JSON.stringify([first, await own.events()])).not.toContain('command_bot')
  })

  it('delivers no command where a mention would not reach the bot', async () => {
    const fixture = await createFixtureOn(server(), respondWith({}))
    const { owner, ann, bot } = fixture
    await declare(owner, bot, [DEPLOY])
    await owner.subscribe(['secret'], { principals: [owner.id, ann.id], invite_only: true })
    await ann.send('secret', 'a', '/deploy hidden')
    await owner.subscribe(['secret'], { principals: [bot.id] })
    await ann.send('secret', 'a', '/deploy shown')
    const edited = await ann.send('news', 'a', 'deploy')
    await ann.call('PATCH', `/messages/${edited}`, { content: '/deploy edited' })
    await declare(owner, bot, [])
    await ann.send('news', 'a', '/deploy without a command')
    await declare(owner, bot, [DEPLOY])
    // The bot would get nothing that is still on its way when it is deactivated.
    await expect.poll(() => dataOf(fixture), POLL_OPTIONS).toEqual(['/deploy shown'])
    await owner.call('DELETE', `/bots/${bot.id}`)
    await ann.send('news', 'a', '/deploy to a deactivated bot')
    await owner.call('POST', `/users/${bot.id}/reactivate`)
    await ann.send('news', 'a', '/deploy last')
    await expect.poll(() => dataOf(fixture).at(-1), POLL_OPTIONS).toBe('/deploy last')
    await waitForDeliveries(fixture)
    expect(dataOf(fixture)).toEqual(['/deploy shown', '/deploy last'])
  })

  it('sends the command as the trigger word to bots that use the Slack format', async () => {
    const { owner, ann, bot, service } = await createFixtureOn(server(), respondWith({}), { interface_type: 2 })
    await declare(owner, bot, [DEPLOY])
    await ann.send('news', 'lunch', '/deploy web')
    await ann.send('news', 'lunch', '@**helper Bot** hi')
    await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(2)
    const fields = service.received.map((one) => new URLSearchParams(one.body))
    expect(fields.map((one) => [one.get('trigger_word'), one.get('text')])).toEqual([
      ['/deploy', '/deploy web'],
      ['@**helper Bot**', '@**helper Bot** hi'],
    ])
  })
})
