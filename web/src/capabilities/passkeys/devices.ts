import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { passkeys } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'

/* What a browser asks the devices that hold passkeys. The library writes in JSON what older browsers have in bytes alone. */

/** Whether the browser knows of passkeys, which it does on pages that came encrypted. */
export function knowsPasskeys(): boolean {
  return 'PublicKeyCredential' in window
}

type Made = Input<typeof passkeys.createPasskey>['credential']
type Signed = Input<typeof passkeys.finishPasskeyLogin>['credential']

/** @returns undefined where the person stops it, or no device can */
export async function askToMake(options: object): Promise<Made | undefined> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  // As the server made them, by the other half of the library.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return unlessStopped(async () => startRegistration({ optionsJSON }))
}

/** @returns undefined where the person stops it, or no device can */
export async function askToSign(options: object): Promise<Signed | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  // As above: made by the server.
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return unlessStopped(async () => startAuthentication({ optionsJSON }))
}

async function unlessStopped<Answered>(ask: () => Promise<Answered>): Promise<Answered | undefined> {
  try {
    return await ask()
  } catch (error) {
    // The names that WebAuthn has for it: stopped or too late, the device has one already, or the page is left.
    const isStopped =
      error instanceof Error && ['NotAllowedError', 'InvalidStateError', 'AbortError'].includes(error.name)
    if (isStopped) return undefined
    throw error
  }
}
