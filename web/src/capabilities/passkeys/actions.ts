import { call, type Answer } from '@parley/client'
import { passkeys } from '@parley/server/contract'
import { SESSION } from '../../platform/sync/sync.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import { askToMake, askToSign } from './devices.ts'

export type Passkey = Answer<typeof passkeys.getPasskeys>['passkeys'][number]

export async function readPasskeys(): Promise<readonly Passkey[]> {
  return (await call(SESSION, passkeys.getPasskeys, {})).passkeys
}

/** Creates a passkey on a device. @returns whether it succeeded; the user can cancel */
export async function addPasskey(name: string, password: string): Promise<boolean> {
  const { options } = await withConfirmation(async () => call(SESSION, passkeys.beginPasskey, { password }))
  const credential = await askToMake(options)
  if (credential === undefined) return false
  await call(SESSION, passkeys.createPasskey, { name, credential })
  return true
}

export async function renamePasskey(id: number, name: string): Promise<void> {
  await call(SESSION, passkeys.renamePasskey, { passkey_id: id, name })
}

export async function removePasskey(id: number, password: string): Promise<void> {
  await withConfirmation(async () => call(SESSION, passkeys.removePasskey, { passkey_id: id, password }))
}

/** Signs in with a passkey. @returns undefined if the user cancels */
export async function signInWithPasskey(): Promise<Answer<typeof passkeys.finishPasskeyLogin> | undefined> {
  const { options } = await call(SESSION, passkeys.beginPasskeyLogin, {})
  const credential = await askToSign(options)
  if (credential === undefined) return undefined
  return call(SESSION, passkeys.finishPasskeyLogin, { credential })
}
