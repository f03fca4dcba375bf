import { call, type Answer } from '@parley/client'
import { passkeys } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { SESSION } from '../../platform/sync/sync.ts'
import { withConfirmation } from '../sessions/confirming.ts'

export type Passkey = Answer<typeof passkeys.getPasskeys>['passkeys'][number]

export async function readPasskeys(): Promise<readonly Passkey[]> {
  return (await call(SESSION, passkeys.getPasskeys, {})).passkeys
}

export async function addPasskey(name: string, password: string): Promise<boolean> {
  const { options } = await withConfirmation(async () => call(SESSION, passkeys.beginPasskey, { password }))
  const credential = await requestCredential(options)
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

export async function signInWithPasskey(): Promise<Answer<typeof passkeys.finishPasskeyLogin> | undefined> {
  const { options } = await call(SESSION, passkeys.beginPasskeyLogin, {})
  const credential = await requestSignature(options)
  if (credential === undefined) return undefined
  return call(SESSION, passkeys.finishPasskeyLogin, { credential })
}

/* Uses a library, because older browsers return credentials as byte arrays instead of JSON. */

/** Passkeys require HTTPS. */
export function supportsPasskeys(): boolean {
  return 'PublicKeyCredential' in window
}

type CreatedCredential = Input<typeof passkeys.createPasskey>['credential']
type SignedCredential = Input<typeof passkeys.finishPasskeyLogin>['credential']

/** @returns undefined if the user cancels or no device can create a passkey */
async function requestCredential(options: object): Promise<CreatedCredential | undefined> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  // Safe, here and below: the server created the options with the server part of the same library.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return undefinedIfCanceled(async () => startRegistration({ optionsJSON }))
}

/** @returns undefined if the user cancels or no device has a passkey */
export async function requestSignature(options: object): Promise<SignedCredential | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return undefinedIfCanceled(async () => startAuthentication({ optionsJSON }))
}

async function undefinedIfCanceled<Answered>(ask: () => Promise<Answered>): Promise<Answered | undefined> {
  try {
    return await ask()
  } catch (error) {
    // The user canceled, waited too long, already registered this device, or left the page.
    const isStopped =
      error instanceof Error && ['NotAllowedError', 'InvalidStateError', 'AbortError'].includes(error.name)
    if (isStopped) return undefined
    throw error
  }
}
