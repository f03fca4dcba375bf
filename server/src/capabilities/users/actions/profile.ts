import { everyone } from '../../../kernel/audience.ts'
import { createYielder } from '../../../kernel/pauses.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { MarkdownContext } from '../../../platform/markdown/job.ts'
import { requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import { renderDescription } from '../../../platform/markdown/render.ts'
import { writeUser } from './index.ts'
import { userUpdated, type CustomProfileField, type ProfileFieldValue } from '../contract/index.ts'
import type { UserRow } from '../queries/index.ts'
import { profileFieldsOf } from '../queries/profile.ts'
import { isAdministrator, knownUser } from '../rules/index.ts'
import { validateProfileValue, isMarkdown } from '../rules/profile.ts'
import type * as contract from '../contract/index.ts'

export async function updateOwnProfileData(
  tx: ActorTx,
  { data }: Input<typeof contract.updateOwnProfileData>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  await changeProfile(tx, knownUser(tx.organization, tx.actor.userId), data, server)
  return {}
}

export async function deleteOwnProfileData(
  tx: ActorTx,
  { data }: Input<typeof contract.deleteOwnProfileData>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  const nothing = data.map((id) => ({ id, value: null }))
  await changeProfile(tx, knownUser(tx.organization, tx.actor.userId), nothing, server)
  return {}
}

/** Changes all given values or none. Returns the user after the change. */
export async function changeProfile(
  tx: ActorTx,
  before: UserRow,
  choices: readonly ProfileFieldValue[],
  server: ServerFacts,
): Promise<UserRow> {
  if (choices.length === 0) return before
  if (before.botType !== null) throw new ApiError('BAD_REQUEST', 'Bots do not have a profile.')
  const fields = await profileFieldsOf(tx.db, tx.organizationId)
  const profile = { ...before.profile }
  const pause = createYielder()
  for (const choice of choices) {
    await pause()
    const field = editableField(tx, fields, choice.id)
    const value = validateProfileValue(tx.organization, tx.actor, field, choice.value)
    if (value === profile[field.id]?.value) continue
    if (value !== undefined) await requireNoNewcomerLinks(tx, tx.actor, [value])
    if (value === undefined) delete profile[field.id]
    else profile[field.id] = { value, ...(await renderProfileValue(tx, field, value, server)) }
  }
  const after = { ...before, profile }
  const changed = fields.filter(({ id }) => profile[id]?.value !== before.profile[id]?.value)
  if (changed.length === 0) return before
  await writeUser(tx, after)
  for (const { id } of changed) emitProfileValue(tx, after, id)
  return after
}

function editableField(tx: ActorTx, fields: readonly CustomProfileField[], fieldId: number): CustomProfileField {
  const field = fields.find((known) => known.id === fieldId)
  if (field === undefined) throw new ApiError('BAD_REQUEST', `Field id ${fieldId} not found.`)
  if (!field.editable_by_user && !isAdministrator(tx.actor)) {
    throw new ApiError(
      'BAD_REQUEST',
      'You are not allowed to change this field. Contact an administrator to update it.',
    )
  }
  return field
}

export function emitProfileValue(tx: Tx, user: UserRow, fieldId: number): void {
  const said = user.profile[fieldId] ?? { value: null }
  tx.emit(userUpdated, { person: { user_id: user.id, custom_profile_field: { id: fieldId, ...said } } }, everyone)
}

async function renderProfileValue(
  tx: Tx,
  field: CustomProfileField,
  value: string,
  server: ServerFacts,
): Promise<{ rendered_value?: string }> {
  if (!isMarkdown(field)) return {}
  const context = { ...NO_REFERENCES, baseUrl: server.urlOf(tx.organization), apiNames: server.apiNames }
  return { rendered_value: await renderDescription(value, context) }
}

/** Profiles are visible to all users, so they must not link to anything that some users cannot see. */
const NO_REFERENCES: Omit<MarkdownContext, 'baseUrl'> = {
  userByName: () => undefined,
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
  channelById: () => undefined,
  realmEmoji: () => undefined,
  linkifiers: [],
}
