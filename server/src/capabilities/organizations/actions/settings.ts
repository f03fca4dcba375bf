import { ROLE, type Actor } from '../../../kernel/actor.ts'
import { everyone, nobody } from '../../../kernel/audience.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { mergeSettings } from '../../../kernel/setting.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { codeLanguage } from '../../../platform/markdown/code/languages.ts'
import { renderDescription } from '../../../platform/markdown/render.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { emitToMetadataOnlyViewers } from '../../channels/actions/peers.ts'
import { channelById } from '../../channels/queries/index.ts'
import { visibleChannelOrNone } from '../../channels/queries/chosen.ts'
import { markdownContextFor, canSeeChannel } from '../../channels/rules/index.ts'
import { hasPublicAccess } from '../../channels/rules/outside-viewers.ts'
import type { GroupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS } from '../../groups/contract/permissions.ts'
import { changedSettingValue, systemGroupId } from '../../groups/rules.ts'
import { updateFullMembers } from '../../groups/actions/manage.ts'
import { heldPatternsProblem } from '../../held-messages/rules.ts'
import { changeOrganization } from './index.ts'
import { wildcardMentionGroup } from '../contract/events.ts'
import type * as contract from '../contract/index.ts'
import { realmSettingsUpdated, realmUpdated } from '../contract/index.ts'
import {
  CHANNEL_SETTINGS,
  REALM_SETTING_NAMES,
  HIDDEN_SETTINGS,
  type ChannelSetting,
  type RealmSettingName,
  OWNER_SETTINGS_AND_PERMISSIONS,
  REALM_PERMISSIONS,
  type updateRealm as declaration,
} from '../contract/settings.ts'
import { groupSetting, organizationOf, serverSettings, settingOf, SETTING_DEFAULTS } from '../queries/index.ts'
import { emitPeopleToGuests } from '../../users/actions/visibility.ts'
import { userSettingsDefaultUpdated } from '../../users/contract/index.ts'
import { usersProjection } from '../../users/queries/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import { createNameVisibilityTest } from '../../users/rules/visibility.ts'
import { validOrganizationName } from '../rules.ts'

type SettingsInput = Input<typeof declaration>
type RealmSettingValue = boolean | number | string | null

/** Settings that clients expect in the same event as permissions. */
const SETTINGS_SENT_WITH_PERMISSIONS: readonly string[] = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'topics_policy',
]

/** Settings by which a stolen session could let other people in, or weaken the protection of accounts. */
const SETTINGS_REQUIRING_CONFIRMATION: readonly string[] = [
  ...OWNER_SETTINGS_AND_PERMISSIONS,
  'enable_spectator_access',
]

export async function updateRealm(
  tx: ActorTx,
  given: SettingsInput,
  server: ServerFacts,
): Promise<Record<string, never>> {
  const input = convertWildcardMentionPolicy(tx, given)
  requireMayChangeOrganization(tx.actor, Object.keys(input))
  const values = changedSettingValues(tx, input)
  await requireValidHeldPatterns(values.held_message_patterns)
  const groups = changedPermissions(tx, input)
  const texts = changedNameAndDescription(tx, input)
  const changes = Object.keys({ ...values, ...groups, ...texts })
  if (changes.length === 0) return {}
  if (changes.some((name) => SETTINGS_REQUIRING_CONFIRMATION.includes(name))) await requireRecentConfirmation(tx)
  const before = organizationOf(tx.organization)
  const { description = before.description } = texts
  const after = await changeOrganization(tx, {
    name: texts.name ?? before.name,
    description,
    renderedDescription:
      texts.description === undefined
        ? before.renderedDescription
        : await renderDescription(description, markdownContextFor(tx.organization, tx.actor, server)),
    settings: mergeSettings(before.settings, { ...values, ...groups }, SETTING_DEFAULTS),
  })
  emitSettingChange(tx, { ...texts, ...values }, groups)
  emitToMetadataOnlyViewers(tx, emitPeopleToGuests(tx, after))
  const { waiting_period_threshold: waitingDays } = values
  if (typeof waitingDays === 'number') await updateFullMembers(tx, waitingDays)
  return {}
}

function convertWildcardMentionPolicy(
  tx: ActorTx,
  { wildcard_mention_policy: policy, ...input }: SettingsInput,
): SettingsInput {
  const name = policy === undefined ? undefined : wildcardMentionGroup(policy)
  if (name === undefined) return input
  if (input.can_mention_many_users_group !== undefined) {
    const both = "Can't decide between 'can_mention_many_users_group' and 'wildcard_mention_policy' arguments"
    throw new ApiError('REQUEST_CONFUSING_VAR', both, { var_name: 'can_mention_many_users_group' })
  }
  return { ...input, can_mention_many_users_group: { new: systemGroupId(tx.organization, name) } }
}

function emitSettingChange(
  tx: ActorTx,
  values: Readonly<Record<string, RealmSettingValue>>,
  groups: Readonly<Record<string, GroupSettingValue>>,
): void {
  const together: Record<string, RealmSettingValue | GroupSettingValue> = { ...groups }
  for (const [property, value] of Object.entries(values)) {
    if (HIDDEN_SETTINGS.some((name) => name === property)) tx.emit(realmUpdated, { property, value }, nobody)
    else if (SETTINGS_SENT_WITH_PERMISSIONS.includes(property)) together[property] = value
    else tx.emit(realmUpdated, { property, value }, { ...everyone, except: usersSeeingNoChange(tx, property, value) })
    // Older clients know the setting by this name.
    if (property === 'topics_policy') together['mandatory_topics'] = value === 'disable_empty_topic'
    // The organization's language is also the default language of new users.
    if (property === 'default_language' && typeof value === 'string') {
      tx.emit(userSettingsDefaultUpdated, { property, value }, everyone)
    }
  }
  if (Object.keys(together).length > 0) tx.emit(realmSettingsUpdated, { property: 'default', data: together }, everyone)
}

/** Lists users for whom nothing changes, because they can see neither the old nor the new channel. */
function usersSeeingNoChange(tx: ActorTx, property: string, value: RealmSettingValue): number[] {
  const name = CHANNEL_SETTINGS.find((one) => one === property)
  if (name === undefined || typeof value !== 'number') return []
  const before = settingOf(tx.organization, name)
  return [...tx.organization.of(usersProjection).byId.values()]
    .map(({ id, role }) => ({ userId: id, role }))
    .filter(
      (member) =>
        visibleChannelOrNone(tx.organization, member, before) === visibleChannelOrNone(tx.organization, member, value),
    )
    .map(({ userId }) => userId)
}

function changedNameAndDescription(tx: ActorTx, input: SettingsInput): { name?: string; description?: string } {
  const before = organizationOf(tx.organization)
  // Accepts an unchanged name that predates the character rule.
  const isKept = input.name?.trim() === before.name
  const name = input.name === undefined || isKept ? undefined : validOrganizationName(input.name)
  const description = input.description?.trim()
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined || description === before.description ? {} : { description }),
  }
}

function changedSettingValues(tx: ActorTx, input: SettingsInput): Partial<Record<RealmSettingName, RealmSettingValue>> {
  const changed = REALM_SETTING_NAMES.flatMap((name): [RealmSettingName, RealmSettingValue][] => {
    const value = input[name]
    return value === undefined || value === settingOf(tx.organization, name) ? [] : [[name, value]]
  })
  const values: Partial<Record<RealmSettingName, RealmSettingValue>> = Object.fromEntries(changed)
  const { default_code_block_language: language } = values
  if (typeof language === 'string' && language !== '' && codeLanguage(language) === undefined) {
    throw new ApiError('BAD_REQUEST', `Invalid language '${language}'`)
  }
  for (const name of CHANNEL_SETTINGS) {
    const channelId = values[name]
    if (typeof channelId === 'number' && channelId !== -1) requireUsableChannel(tx, name, channelId)
  }
  return values
}

async function requireValidHeldPatterns(patterns: RealmSettingValue | undefined): Promise<void> {
  const problem = typeof patterns === 'string' ? await heldPatternsProblem(patterns) : undefined
  if (problem !== undefined) throw new ApiError('BAD_REQUEST', problem)
}

function requireUsableChannel(tx: ActorTx, name: ChannelSetting, channelId: number): void {
  const channel = channelById(tx.organization, channelId)
  if (channel === undefined || channel.isArchived || !canSeeChannel(tx.organization, tx.actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  if (name === 'moderation_request_channel_id' && !channel.inviteOnly) {
    throw new ApiError('BAD_REQUEST', 'Moderation request channel must be private.')
  }
}

function changedPermissions(tx: ActorTx, input: SettingsInput): Record<string, GroupSettingValue> {
  const mayName = createNameVisibilityTest(tx.organization, tx.actor)
  return Object.fromEntries(
    REALM_PERMISSIONS.flatMap((name): [string, GroupSettingValue][] => {
      const current = groupSetting(tx.organization, name)
      const changed = changedSettingValue(tx, name, PERMISSIONS.realm[name], current, input[name], mayName)
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}

function requireMayChangeOrganization(actor: Actor, names: readonly string[]): void {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  if (actor.role !== ROLE.owner && names.some((name) => OWNER_SETTINGS_AND_PERMISSIONS.some((one) => one === name))) {
    throw new ApiError('BAD_REQUEST', 'Must be an organization owner')
  }
}

export async function getServerSettings(call: OpenCall): Promise<Output<typeof contract.getServerSettings>> {
  const isOpen = call.log !== undefined && hasPublicAccess(call.log.organization, call.server)
  return Promise.resolve(serverSettings(call, isOpen))
}
