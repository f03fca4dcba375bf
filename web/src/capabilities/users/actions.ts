import { call } from '@parley/client'
import { users } from '@parley/server/contract'
import { copyWithToast } from '../../platform/dom/clipboard.ts'
import { predictAndSend } from '../../platform/predicted.ts'
import { hrefOf } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId } from './state.ts'

export async function copyDirectMessageLink(userId: number): Promise<void> {
  await copyWithToast(window.location.origin + hrefOf({ view: 'direct', userIds: [userId] }))
}

/* The functions below throw errors, so that the calling form can show them. */

export async function changeName(name: string): Promise<void> {
  await call(SESSION, users.updateSettings, { full_name: name })
}

export async function uploadPicture(file: File): Promise<void> {
  await call(SESSION, users.uploadAvatar, {}, { file })
}

export async function removePicture(): Promise<void> {
  await call(SESSION, users.removeAvatar, {})
}

/** Empty text clears the field. @param of user whose field an administrator edits */
export async function saveProfileField(fieldId: number, value: string, of?: number): Promise<void> {
  await sendProfileField({ id: fieldId, value }, of)
}

async function sendProfileField(choice: users.ProfileFieldValue, of: number | undefined): Promise<void> {
  if (of === undefined) await call(SESSION, users.updateOwnProfileData, { data: [choice] })
  else await call(SESSION, users.updateUser, { user_id: of, profile_data: [choice] })
}

export async function savePeopleField(
  fieldId: number,
  chosen: readonly number[],
  before: readonly number[],
  of?: number,
): Promise<void> {
  const naming = (ids: readonly number[]) => ({
    type: 'realm_user',
    op: 'update',
    person: {
      user_id: of ?? ownId(),
      custom_profile_field: { id: fieldId, value: ids.length === 0 ? null : JSON.stringify(ids) },
    },
  })
  await predictAndSend(naming(chosen), naming(before), async () =>
    sendProfileField({ id: fieldId, value: [...chosen] }, of),
  )
}
