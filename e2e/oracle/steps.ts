import type { Answer } from '../../server/src/testing/user.ts'
import {
  changeRole,
  deactivate,
  changeBotOwner,
  nextNumberIn,
  reactivate,
  subscribe,
  unsubscribe,
  type Channel,
  type Person,
  type Setting,
} from './model.ts'
import { canSeeChannel, maySubscribe } from './rules.ts'
import { describePerson, expectSameAnswerAsForAbsentId, addNewcomer, type Scene } from './scene.ts'

/** A step. The numbers select its kind and objects. */
export type StepChoice = readonly [kind: number, who: number, what: number, more: number, rest: number]

/** Steps mostly by administrators, because other people lack the permission. */
export const ADMINISTRATOR_STEPS: readonly string[] = [
  'change role',
  'give bot',
  'deactivate',
  'reactivate',
  'ban',
  'lift ban',
  'shelter guests',
  'say who begins conversations',
  'fill group',
  'nest group',
  'grant in channel',
  'convert channel',
  'unarchive channel',
  'make default',
  'choose channel',
  'deactivate group',
]

/** A step with its selected objects. */
export interface StepContext {
  readonly scene: Scene
  readonly actor: Person
  readonly other: Person
  readonly channel: Channel | undefined
  readonly what: number
  readonly more: number
  readonly rest: number
}

export const itemAt = <Item>(list: readonly Item[], number: number): Item | undefined => list[number % list.length]

export const activePeople = (scene: Scene): Person[] =>
  [...scene.model.people.values()].filter(({ isActive }) => isActive)

const customGroupIds = (scene: Scene): number[] =>
  [...scene.model.groups.values()]
    .filter(({ roleAtMost, isDeactivated }) => roleAtMost === undefined && !isDeactivated)
    .map(({ id }) => id)

function pickSetting({ scene, other, actor, more, rest }: StepContext): Setting {
  const groups = customGroupIds(scene)
  const group = itemAt(groups, rest)
  if (more % 4 === 0)
    return scene.systemGroups.get(['role:moderators', 'role:members', 'role:nobody'][rest % 3] ?? '') ?? 0
  if (more % 4 === 1 && group !== undefined) return group
  return {
    direct_members: more % 3 === 0 ? [other.id] : [other.id, actor.id].toSorted((a, b) => a - b),
    direct_subgroups: group === undefined || more % 2 === 0 ? [] : [group],
  }
}

const CHANNEL_PERMISSIONS = [
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_administer_channel_group',
] as const

export function checkOutcome(doing: StepContext, answer: Answer, isAllowed: boolean, what: string): void {
  if ((answer.status === 200) === isAllowed) return
  const { scene, actor } = doing
  scene.wrong.push(`${describePerson(actor)} ${isAllowed ? 'can' : 'cannot'} ${what}: ${JSON.stringify(answer.body)}`)
}

export const STEPS: Readonly<Record<string, (doing: StepContext) => Promise<void>>> = {
  'create channel': async (doing) => {
    const { scene, actor, other, what, more, rest } = doing
    const { model } = scene
    const number = nextNumberIn(model)
    const kind = what % 5
    const settings: Record<string, Setting> =
      more % 2 === 0 ? { [CHANNEL_PERMISSIONS[rest % 3] ?? '']: pickSetting(doing) } : {}
    const principals = [...new Set(more % 3 === 0 ? [other.id] : [actor.id, other.id])]
    const parameters = {
      invite_only: kind > 1,
      is_web_public: kind === 1,
      ...(kind > 1 ? { history_public_to_subscribers: kind === 2 } : {}),
      send_new_subscription_messages: rest % 4 === 0,
      ...settings,
    }
    const name = `chan${number}q`
    const { status } =
      rest % 2 === 0
        ? await actor.user.try('POST', '/channels/create', { name, subscribers: principals, ...parameters })
        : await actor.user.try('POST', '/users/me/subscriptions', {
            subscriptions: [{ name }],
            principals,
            ...parameters,
          })
    const id = await scene.channelNamed(name)
    if (status !== 200 || id === undefined) return
    const everyone = scene.systemGroups.get('role:everyone') ?? 0
    const channel: Channel = {
      id,
      name,
      isPrivate: kind > 1,
      isWebPublic: kind === 1,
      webPublicFrom: model.clock,
      sharesHistory: kind <= 2,
      isArchived: false,
      isDefault: false,
      settings: {
        can_administer_channel_group: { direct_members: [actor.id], direct_subgroups: [] },
        can_send_message_group: everyone,
        ...settings,
      },
      periods: new Map(),
      resting: new Set(),
    }
    model.channels.set(id, channel)
    model.channelOfName.set(number, id)
    subscribe(model, channel, principals)
  },

  'join channel': async (doing) => {
    const { scene, actor, channel } = doing
    if (channel === undefined) return
    const answer = await actor.user.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
    checkOutcome(doing, answer, maySubscribe(scene.model, actor, channel), `join ${channel.id}`)
    if (answer.status === 200) subscribe(scene.model, channel, [actor.id])
  },

  'add people': async ({ scene, actor, other, channel, more, rest }) => {
    if (channel === undefined) return
    const third = itemAt(activePeople(scene), more)
    const principals = [...new Set([other.id, third?.id ?? other.id])]
    const { status } = await actor.user.try('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals,
      send_new_subscription_messages: rest % 3 === 0,
    })
    if (status === 200) subscribe(scene.model, channel, principals)
  },

  'leave channel': async (doing) => {
    const { scene, actor, channel } = doing
    if (channel === undefined) return
    const answer = await actor.user.try('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
    checkOutcome(doing, answer, canSeeChannel(scene.model, actor, channel), `leave ${channel.id}`)
    if (answer.status === 200) unsubscribe(scene.model, channel, [actor.id])
  },

  'remove people': async ({ scene, actor, other, channel, more }) => {
    if (channel === undefined) return
    const third = itemAt(activePeople(scene), more)
    const principals = [...new Set([other.id, third?.id ?? other.id])]
    const { status } = await actor.user.try('DELETE', '/users/me/subscriptions', {
      subscriptions: [channel.name],
      principals,
    })
    if (status === 200) unsubscribe(scene.model, channel, principals)
  },

  'convert channel': async ({ scene, actor, channel, more }) => {
    if (channel === undefined) return
    const kind = more % 4
    const wanted = {
      is_private: kind > 1,
      is_web_public: kind === 1,
      ...(kind > 1 ? { history_public_to_subscribers: kind === 2 } : {}),
    }
    if (!canSeeChannel(scene.model, actor, channel)) {
      await expectSameAnswerAsForAbsentId(scene, actor, channel.id, ['PATCH', (id) => `/streams/${id}`, () => wanted])
      return
    }
    const { status } = await actor.user.try('PATCH', `/streams/${channel.id}`, wanted)
    if (status !== 200) return
    if (!channel.isWebPublic) channel.webPublicFrom = scene.model.clock
    Object.assign(channel, { isPrivate: kind > 1, isWebPublic: kind === 1, sharesHistory: kind <= 2 })
  },

  'rename channel': async ({ scene, actor, channel }) => {
    if (channel === undefined) return
    const number = nextNumberIn(scene.model)
    const name = `chan${number}q`
    const { status } = await actor.user.try('PATCH', `/streams/${channel.id}`, { new_name: name })
    if (status !== 200) return
    channel.name = name
    scene.model.channelOfName.set(number, channel.id)
  },

  'grant in channel': async (doing) => {
    const { actor, channel, what } = doing
    if (channel === undefined) return
    const name = [...CHANNEL_PERMISSIONS, ...CHANNEL_PERMISSIONS, 'can_send_message_group'][what % 7] ?? ''
    const value = pickSetting(doing)
    const { status } = await actor.user.try('PATCH', `/streams/${channel.id}`, { [name]: { new: value } })
    if (status === 200) channel.settings[name] = value
  },

  'archive channel': async ({ scene, actor, channel }) => {
    if (channel === undefined) return
    if (!canSeeChannel(scene.model, actor, channel)) {
      await expectSameAnswerAsForAbsentId(scene, actor, channel.id, ['DELETE', (id) => `/streams/${id}`])
      return
    }
    const { status } = await actor.user.try('DELETE', `/streams/${channel.id}`)
    if (status === 200) Object.assign(channel, { isArchived: true, isDefault: false })
  },

  'unarchive channel': async ({ scene, actor, more }) => {
    const channel = itemAt(
      [...scene.model.channels.values()].filter(({ isArchived }) => isArchived),
      more,
    )
    if (channel === undefined) return
    const { status } = await actor.user.try('PATCH', `/streams/${channel.id}`, { is_archived: false })
    if (status === 200) channel.isArchived = false
  },

  'make default': async ({ actor, channel, more }) => {
    if (channel === undefined) return
    const isDefault = more % 3 > 0
    const parameters = { stream_id: channel.id }
    const { status } = await actor.user.try(isDefault ? 'POST' : 'DELETE', '/default_streams', parameters)
    if (status === 200) channel.isDefault = isDefault
  },

  'make group': async ({ scene, actor, other, more, rest }) => {
    const members = [...new Set([other.id, actor.id])].slice(more % 2)
    const inner = itemAt(customGroupIds(scene), rest)
    const subgroups = inner === undefined || more % 3 > 0 ? [] : [inner]
    const name = `group ${nextNumberIn(scene.model)}`
    const { status, body } = await actor.user.try('POST', '/user_groups/create', {
      name,
      description: '',
      members,
      subgroups,
    })
    const id = Number(body['group_id'])
    if (status !== 200) return
    scene.model.groups.set(id, {
      id,
      roleAtMost: undefined,
      members: new Set(members),
      subgroups: new Set(subgroups),
      isDeactivated: false,
    })
  },

  'deactivate group': async ({ scene, actor, what }) => {
    const group = scene.model.groups.get(itemAt(customGroupIds(scene), what) ?? -1)
    if (group === undefined) return
    const { status } = await actor.user.try('POST', `/user_groups/${group.id}/deactivate`)
    if (status === 200) group.isDeactivated = true
  },

  'fill group': async ({ scene, actor, other, what, more }) => {
    const group = scene.model.groups.get(itemAt(customGroupIds(scene), what) ?? -1)
    if (group === undefined) return
    const op = more % 2 === 0 ? 'add' : 'delete'
    const { status } = await actor.user.try('POST', `/user_groups/${group.id}/members`, { [op]: [other.id] })
    if (status !== 200) return
    if (op === 'add') group.members.add(other.id)
    else group.members.delete(other.id)
  },

  'nest group': async ({ scene, actor, what, more, rest }) => {
    const group = scene.model.groups.get(itemAt(customGroupIds(scene), what) ?? -1)
    const inner = rest % 4 === 0 ? scene.systemGroups.get('role:moderators') : itemAt(customGroupIds(scene), rest)
    if (group === undefined || inner === undefined) return
    const op = more % 3 > 0 ? 'add' : 'delete'
    const { status } = await actor.user.try('POST', `/user_groups/${group.id}/subgroups`, { [op]: [inner] })
    if (status !== 200) return
    if (op === 'add') group.subgroups.add(inner)
    else group.subgroups.delete(inner)
  },

  'change role': async ({ scene, actor, other, more }) => {
    const role = [200, 300, 400, 400, 600, 600, 100][more % 7] ?? 400
    const { status } = await actor.user.try('PATCH', `/users/${other.id}`, { role })
    if (status === 200) changeRole(scene.model, other, role)
  },

  'give bot': async ({ scene, actor, other, more }) => {
    const bots = [...scene.model.people.values()].filter(({ isBot, isActive }) => isBot && isActive)
    const bot = itemAt(bots, more)
    if (bot === undefined || bot.ownerId === other.id) return
    const { status } = await actor.user.try('PATCH', `/bots/${bot.id}`, { bot_owner_id: other.id })
    if (status !== 200) return
    changeBotOwner(bot, other)
    // A bot that transfers itself loses its own API key.
    const manager = [...scene.model.people.values()].find(
      ({ role, isBot, isActive }) => role === 100 && isActive && !isBot,
    )
    await bot.user.fetchNewApiKey((manager ?? actor).user)
    // The new key ends its queues.
    scene.watchers.delete(bot.id)
  },

  deactivate: async ({ scene, actor, other }) => {
    const { status } = await actor.user.try('DELETE', `/users/${other.id}`)
    if (status === 200) deactivate(scene.model, other)
  },

  reactivate: async ({ scene, actor, more }) => {
    const gone = itemAt(
      [...scene.model.people.values()].filter(({ isActive }) => !isActive),
      more,
    )
    if (gone === undefined) return
    const { status } = await actor.user.try('POST', `/users/${gone.id}/reactivate`)
    if (status !== 200) return
    reactivate(scene.model, gone, actor)
    await gone.user.fetchApiKey()
  },

  arrive: async ({ scene, more }) => {
    if (scene.model.people.size < 12) await addNewcomer(scene, more % 2 === 0 ? 600 : 400)
  },

  'shelter guests': async ({ scene, actor, more }) => {
    const isSheltering = more % 3 > 0
    const group = scene.systemGroups.get(isSheltering ? 'role:members' : 'role:everyone')
    const { status } = await actor.user.try('PATCH', '/realm', { can_access_all_users_group: { new: group } })
    if (status === 200) scene.model.guestsAreLimited = isSheltering
  },

  'choose channel': async ({ actor, channel, more }) => {
    // The server posts no notices to this channel.
    const service_update_announcements_stream_id = more % 4 === 0 ? -1 : (channel?.id ?? -1)
    await actor.user.try('PATCH', '/realm', { service_update_announcements_stream_id })
  },

  'say who begins conversations': async (doing) => {
    const { scene, actor, more } = doing
    const everybody = scene.systemGroups.get('role:everyone') ?? 0
    const beginners = more % 2 === 0 ? pickSetting({ ...doing, more: doing.what }) : everybody
    const { status } = await actor.user.try('PATCH', '/realm', { direct_message_initiator_group: { new: beginners } })
    if (status === 200) scene.model.beginners = beginners
  },

  'look for channel': async ({ scene, actor, channel }) => {
    if (channel === undefined || canSeeChannel(scene.model, actor, channel)) return
    await expectSameAnswerAsForAbsentId(scene, actor, channel.id, ['GET', (id) => `/streams/${id}`])
    await expectSameAnswerAsForAbsentId(scene, actor, channel.id, ['GET', (id) => `/streams/${id}/members`])
    await expectSameAnswerAsForAbsentId(scene, actor, channel.id, ['GET', (id) => `/users/me/${id}/topics`])
    const send = { type: 'stream', topic: 'x', content: 'x' }
    await expectSameAnswerAsForAbsentId(scene, actor, channel.id, [
      'POST',
      () => '/messages',
      (id) => ({ ...send, to: id }),
    ])
    await expectSameAnswerAsForAbsentId(scene, actor, channel.id, [
      'POST',
      () => '/mark_stream_as_read',
      (id) => ({ stream_id: id }),
    ])
  },
}
